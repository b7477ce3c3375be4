// In the place of a library that is left out.
export default { use() {} };
