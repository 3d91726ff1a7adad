// Puts a style sheet on the shadow tree of a component; each sheet is read once, however many components wear it.
const SHEETS = new Map();

export async function wear(root, address) {
  if (!SHEETS.has(address))
    SHEETS.set(address, fetch(address).then(answer => answer.text()).then(text => new CSSStyleSheet().replace(text)));
  const worn = await SHEETS.get(address);
  const tree = root.getRootNode();
  if (!tree.adoptedStyleSheets.includes(worn)) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, worn];
}
