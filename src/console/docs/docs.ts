import { type Theme, theme } from '../kit/page/theme.ts'
import { type SearchSection, searchSections } from './search.ts'

// The script of the pages under /docs/. It runs before the page is shown, so that the theme of the console applies immediately (theme.ts).

/** Without scripts the search and the selection of the theme are hidden, and the contents shown. */
document.documentElement.classList.add('scripted')

document.addEventListener('DOMContentLoaded', () => {
  setUpTheme(find('.docs-theme'))
  setUpMenu(find('.docs-menu'), find('.docs-nav'))
  setUpSearch(find('.docs-search'))
})

function find<Type extends HTMLElement>(selector: string, parent: ParentNode = document): Type {
  const element = parent.querySelector<Type>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

function setUpTheme(select: HTMLSelectElement): void {
  select.value = theme.value
  select.addEventListener('change', () => {
    theme.value = select.value as Theme
  })
}

/** Opens and closes the contents, which narrow windows hide. */
function setUpMenu(button: HTMLButtonElement, nav: HTMLElement): void {
  const toggle = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    nav.classList.toggle('open', isOpen)
  }
  button.addEventListener('click', () => toggle(!nav.classList.contains('open')))
  // a link to a section of the same page loads no other page
  nav.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a')) toggle(false)
  })
}

/** Shows matching sections while the user types. The index is loaded once the search gets the focus. */
function setUpSearch(search: HTMLElement): void {
  const input = find<HTMLInputElement>('input', search)
  const results = find('.docs-results', search)
  let sections: Promise<SearchSection[]> | undefined
  const load = () => {
    sections ??= fetch(String(search.dataset.index))
      .then((response) => {
        if (!response.ok) throw new Error(response.statusText)
        return response.json() as Promise<SearchSection[]>
      })
      .catch((error) => {
        // the next key retries
        sections = undefined
        throw error
      })
    return sections
  }
  const close = () => {
    results.hidden = true
  }
  const show = async () => {
    const query = input.value
    if (query.trim() === '') return close()
    const content = await load().then(
      (loaded) => createResults(loaded, query),
      () => [createLine('The search could not be loaded. Check the connection.')],
    )
    // the user has continued to type
    if (query !== input.value) return
    results.replaceChildren(...content)
    results.hidden = false
  }
  input.addEventListener('focus', () => void load().catch(() => undefined))
  input.addEventListener('input', () => void show())
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close()
      input.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      moveFocus([input, ...results.querySelectorAll<HTMLElement>('a')], event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
  })
  // a link to a section of the same page loads no other page
  results.addEventListener('click', close)
  document.addEventListener('pointerdown', ({ target }) => {
    if (!search.contains(target as Node)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

function createResults(sections: readonly SearchSection[], query: string): HTMLElement[] {
  const found = searchSections(sections, query)
  if (found.length === 0) return [createLine('No matches')]
  return found.map(({ section: { url, page, heading }, excerpt }) => {
    const link = document.createElement('a')
    link.href = url
    const title = document.createElement('strong')
    title.textContent = heading === page ? page : `${page}: ${heading}`
    const text = document.createElement('span')
    text.textContent = excerpt
    link.append(title, text)
    return link
  })
}

function createLine(text: string): HTMLElement {
  const line = document.createElement('p')
  line.textContent = text
  return line
}

/** Moves the focus along a list, from the element that has it. */
function moveFocus(elements: readonly HTMLElement[], step: number): void {
  const index = elements.indexOf(document.activeElement as HTMLElement)
  elements[Math.min(Math.max(index + step, 0), elements.length - 1)]?.focus()
}
