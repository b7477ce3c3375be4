// What a valid page is: the standard and the structure of a document, as html-validate
// reads them, and what is switched off, with its reason.
export default {
  root: true,
  extends: ["html-validate:standard", "html-validate:document"],
  rules: {
    // Style sheets and scripts are the site's own, from its own host, below a folder named
    // after a hash of them, and must load from file:// too, where integrity= fails.
    "require-sri": "off",
  },
};
