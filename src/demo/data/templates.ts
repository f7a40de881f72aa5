const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40" width="120" height="40">
  <circle cx="20" cy="20" r="16" fill="#c98a2b"/><path d="M12 24q8-16 18-6q-6 10-18 6z" fill="#2f3b45"/>
  <text x="44" y="26" font-family="Noto Sans" font-size="16" fill="#2f3b45">Songbird</text>
</svg>`

/** Files shared by the templates of the workshop. */
export const assets = [
  { asset: `data:image/svg+xml;name=songbird.svg,${encodeURIComponent(svg)}`, description: 'Company logo' },
  { asset: 'data:text/css;name=letters.css,body%7Bcolor%3A%232f3b45%7D', description: 'Letter style sheet' },
]

const closing = '<p>Songbird Instruments. Please name {{ reference }} in your reply.</p>'

/** HTML snippets that the templates include. */
export const snippets = [
  { snippet: `data:text/html;name=closing.html,${encodeURIComponent(closing)}`, description: 'Closing of letters' },
  { snippet: 'data:text/html;name=fold.html,%3Chr%3E', description: 'Fold mark of letters' },
]

const shelf = '<h1>{{ location.name }}</h1><p>{{ location.description }}</p>'

/** A label that the workshop designed itself. */
export const shelfLabel = {
  name: 'Shelf',
  description: 'Large label with the name and description of a shelf',
  label: `data:text/html;name=shelf.html,${encodeURIComponent(shelf)}`,
  width: 100,
  height: 50,
}
