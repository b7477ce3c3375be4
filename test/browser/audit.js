// What a page has, for the crawl to judge.
(() => {
  const all = (selector, value) => [...document.querySelectorAll(selector)].map(value)
  const words = e => `<${e.tagName.toLowerCase()} class="${e.getAttribute("class") || ""}">`
  const ids = all("[id]", e => e.id)
  const links = [
    ...all("a[href], link[href]", e => [e.href, e.getAttribute("href")]),
    ...all("script[src], img[src], source[src], video[src], iframe[src]", e => [e.src, e.getAttribute("src")]),
    ...all("use[href]", e => [new URL(e.getAttribute("href"), location).href, e.getAttribute("href")]),
  ].filter(([, written]) => !written.startsWith("/_gpudocs/")) // what serve adds
  const levels = all("h1, h2, h3, h4, h5, h6", e => Number(e.tagName[1]))
  const faults = [ // the place of a zoom-button is set by a script, which a policy allows
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map(id => `the id ${JSON.stringify(id)} is there twice`),
    ...ids.filter(id => id === "" || /\s/.test(id)).map(id => `${JSON.stringify(id)} cannot be an id`),
    ...all("img:not([alt])", e => `an image without alt: ${e.src}`),
    ...levels.filter((l, i) => i > 0 && l > levels[i - 1] + 1).map(l => `a heading h${l} skips a level`),
    ...all("input, select, textarea", e => e).filter(e => !e.labels?.length && !e.ariaLabel && !e.getAttribute("aria-labelledby") && !e.title)
      .map(e => `a control without a label: ${words(e)}`),
    ...all("[for]", e => e).filter(e => !document.getElementById(e.htmlFor)).map(e => `a label for nothing: ${e.htmlFor}`),
    ...["aria-labelledby", "aria-describedby", "aria-controls"].flatMap(name => all(`[${name}]`, e => e.getAttribute(name).split(/\s+/)
      .filter(id => !document.getElementById(id)).map(id => `${name} names ${id}, which is not there`)).flat()),
    ...all("nav, [role=region], [role=group]", e => e).filter(e => !e.ariaLabel && !e.getAttribute("aria-labelledby")).map(e => `a part without a name: ${words(e)}`),
    ...all("a[href^='http']", e => e).filter(e => e.target === "_blank" && !e.relList.contains("noopener")).map(e => `a link that gives its opener away: ${e.href}`),
    ...all("[style]:not(.zoom-button), [onclick], [onload], [onerror]", e => `what a strict policy forbids: ${words(e)}`),
    ...all("[lang]", e => e.lang).filter(l => !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(l)).map(l => `lang=${JSON.stringify(l)}`),
  ]
  const h1 = levels.filter(l => l === 1).length
  if (h1 !== 1) faults.push(`${h1} headings of level 1`)
  if (document.querySelectorAll("main").length !== 1) faults.push("not exactly one <main>")
  if (!document.title.trim()) faults.push("no title")
  if (!document.documentElement.lang) faults.push("no language")
  if (document.doctype?.name !== "html") faults.push("no doctype")
  if (!document.querySelector("meta[name=viewport]")) faults.push("no viewport")
  return {ids, links, faults}
})()
