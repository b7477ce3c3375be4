// In the place of DOMPurify: labels are text, and what comes out is cleaned in Go.
// Known tags go and leave their text, br stays, and "vector<int>" is no tag.
const tags =
  /<\/?(?:a|abbr|b|big|blockquote|body|button|center|cite|code|dd|del|div|dl|dt|em|embed|font|form|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|mark|meta|object|ol|p|pre|q|s|samp|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var)(?:[\s/][^<>]*)?>/gi;

export default {
  isSupported: true,
  addHook() {},
  sanitize: (text) => String(text).replace(tags, ''),
};
