// In the place of a library that is left out.
function leftOut() {
  throw new Error('diagrams of this type are not drawn here');
}
leftOut.use = () => {};
export default leftOut;
