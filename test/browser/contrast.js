// The visible texts whose contrast with their ground is below what WCAG 2.1 AA
// asks for: 4.5, or 3 for large text. Pictures and gradients count for nothing.
(() => {
  // Colours may come in any notation; a canvas knows them all.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true})
  const known = new Map()
  const rgba = colour => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
      known.set(colour, [r, g, b, a / 255])
    }
    return known.get(colour)
  }
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]))
  const grounds = new Map()
  const ground = element => {
    if (!element) return [255, 255, 255]
    if (!grounds.has(element)) {
      const own = rgba(getComputedStyle(element).backgroundColor)
      grounds.set(element, own[3] === 1 ? own.slice(0, 3) : over(own, ground(element.parentElement)))
    }
    return grounds.get(element)
  }
  const luminance = colour => {
    const [r, g, b] = colour.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }

  const low = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  let seen = 0
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || element.closest("svg, script, style, template") ||
        !element.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue
    seen++
    const style = getComputedStyle(element), below = ground(element)
    const [a, b] = [luminance(over(rgba(style.color), below)), luminance(below)].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize)
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700)
    if (ratio < (large ? 3 : 4.5)) {
      low.add(`${element.tagName.toLowerCase()}.${element.className} in .${element.parentElement.className}: ` +
        `${style.color} on rgb(${below.map(Math.round)}) is ${ratio.toFixed(2)}: ${texts.currentNode.data.trim().slice(0, 40)}`)
    }
  }
  return seen > 3 ? [...low] : [`only ${seen} texts found`]
})()
