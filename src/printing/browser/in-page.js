// Runs in a page before it is printed. The page's own scripts do not run, but its elements may have names of properties of the document,
// and hide these: they are taken from the prototype.
{
  const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document)
  const call = (name, ...given) => Document.prototype[name].call(document, ...given)
  const select = (selector) => call('querySelectorAll', selector)
  const attributeOf = (element, name) => Element.prototype.getAttribute.call(element, name)

  /** Elements that a browser shows in other typefaces than their surroundings. */
  const APART = [
    ['pre, code, kbd, samp, tt, listing, plaintext, xmp', 'monospace'],
    ['button, input, select, textarea', 'inherit'],
    ['math', 'math'],
  ]
  const KEYWORD = /^(inherit|unset|revert|revert-layer)$/

  /** The styles whose typeface list was changed. */
  const extended = new Set()
  let names = ''

  function extend(style, value, priority) {
    style.setProperty('font-family', value === 'initial' ? names : `${value}, ${names}`, priority)
    extended.add(style)
  }

  /**
   * Appends typefaces to every list of typefaces.
   * @param {string} given as in `font-family`, separated by commas
   * @returns {Promise<{characters: string, isAlien: boolean, isExtended: boolean}>} the distinct non-ASCII characters of its text; whether
   *   it brings its own typefaces, which may have any of them; whether there was any list
   */
  globalThis.extendTypefaces = async (given) => {
    names = given
    const families = names.split(',').map((name) => name.trim().replaceAll(/^['"]|['"]$/g, ''))
    const characters = new Set()
    const note = (text) => {
      for (const character of text.match(/[^\0-\x7f]/gu) ?? []) characters.add(character)
    }
    let isAlien = false
    let isHidden = false
    let hasMargins = false

    const noteContent = (content) => {
      note(
        content.replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, code) =>
          String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
        ),
      )
      for (const [, attribute] of content.matchAll(/attr\(\s*([\w-]+)/g))
        for (const element of select(`[${CSS.escape(attribute)}]`)) note(attributeOf(element, attribute))
    }
    const isOurs = (rule, value) => rule.selectorText === 'html' && value.startsWith(`"${families[0]}"`)
    /** Yields each rule, including nested ones. */
    function* rulesIn(rules) {
      for (const rule of rules) {
        yield rule
        if (rule.cssRules) yield* rulesIn(rule.cssRules)
      }
    }
    const visit = (see) => {
      for (const sheet of own('styleSheets')) {
        try {
          for (const rule of rulesIn(sheet.cssRules)) see(rule)
        } catch {
          // a style sheet from another origin is hidden from the page
          isHidden = true
        }
      }
    }

    visit((rule) => {
      if (rule instanceof CSSFontFaceRule)
        isAlien ||= !families.some((name) => rule.style.getPropertyValue('font-family').includes(name))
      else if (rule.style) {
        isHidden ||= rule.style.getPropertyValue('font-family') === '' && rule.style.getPropertyValue('font') !== ''
        noteContent(rule.style.getPropertyValue('content'))
        hasMargins ||= rule instanceof CSSMarginRule
      }
    })
    const texts = call('createTreeWalker', document, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (!/^(style|script|title|template)$/i.test(text.parentNode?.nodeName ?? '')) note(text.data)
    // a text in ASCII needs no other typefaces than its own
    if (characters.size > 0 || isHidden) {
      const apart = APART.filter(([elements]) => select(elements).length > 0)
      if (apart.length > 0) {
        const sheet = call('createElement', 'style')
        sheet.textContent = apart.map(([elements, value]) => `:where(${elements}) { font-family: ${value} }`).join('\n')
        own('head').prepend(sheet)
      }
      visit((rule) => {
        if (!rule.style || rule instanceof CSSFontFaceRule) return
        const value = rule.style.getPropertyValue('font-family')
        // the list for elements without one is ours
        if (value !== '' && !isOurs(rule, value) && !KEYWORD.test(value))
          extend(rule.style, value, rule.style.getPropertyPriority('font-family'))
      })
      for (const { style } of select('[style]')) {
        const value = style instanceof CSSStyleDeclaration ? style.getPropertyValue('font-family') : ''
        if (value !== '' && !KEYWORD.test(value)) extend(style, value, style.getPropertyPriority('font-family'))
      }
      for (const attribute of ['face', 'font-family'])
        for (const element of select(`[${attribute}]`))
          if (element.style instanceof CSSStyleDeclaration && element.style.getPropertyValue('font-family') === '')
            extend(element.style, attributeOf(element, attribute), '')
      // styles that could not be read are taken from the computed styles of elements
      if (isHidden) {
        const others = [...select('*')].map((element) => [element.style, getComputedStyle(element).fontFamily])
        for (const [style, value] of others) if (value && style instanceof CSSStyleDeclaration) extend(style, value, 'important')
      }
    }
    // page margins are laid out during printing, which does not wait for typefaces
    if (hasMargins) await own('fonts').load(`1em ${families[0]}`, '0')
    // typefaces are requested when text is laid out in them
    own('documentElement').getBoundingClientRect()
    await own('fonts').ready
    return { characters: [...characters].join(''), isAlien, isExtended: extended.size > 0 || hasMargins }
  }

  /**
   * Waits for typefaces, each for the characters it is to show.
   * @param {[name: string, characters: string][]} typefaces
   */
  globalThis.loadTypefaces = async (typefaces) => {
    await Promise.all(typefaces.map(([name, characters]) => own('fonts').load(`1em ${name}`, characters)))
    // A word whose first typeface belongs to the browser keeps its layout from before the others were loaded, because layouts are cached by
    // style. So its style gets a change without effect.
    for (const style of extended)
      if (style.getPropertyValue('font-feature-settings').replace('normal', '') === '')
        style.setProperty('font-feature-settings', '"here" 1', style.getPropertyPriority('font-family'))
    await own('fonts').ready
  }

  /**
   * Shows each character alone in the typefaces of the document, so that its typeface can be looked up; an empty list removes them.
   * @param {string[]} characters
   * @returns {number[]} the width of each, in pixels
   */
  globalThis.showCharacters = (characters) => {
    for (const shown of select('#shown-characters')) shown.remove()
    if (characters.length === 0) return []
    const shown = call('createElement', 'div')
    shown.id = 'shown-characters'
    shown.style.cssText = `all: initial; position: absolute; font: 100px ${names}`
    for (const character of characters) {
      const one = call('createElement', 'span')
      one.textContent = character
      shown.append(one)
    }
    own('documentElement').append(shown)
    return [...shown.children].map((one) => one.getBoundingClientRect().width)
  }
}
