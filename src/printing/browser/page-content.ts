import type { Protocol } from 'puppeteer-core'
import type { Area, RenderedItem } from '../../kit/services/printer.ts'

/** Maximum number of elements of an analyzed page, and of the items that it shows. */
export const MAX_ELEMENTS = 5_000
/** Colors darker than the first one count as black, those lighter than the second as white; the rest is gray. */
const [DARK, LIGHT] = [64, 250]
/** Position of the baseline of the service's typeface in a line, and the extent of letters above and below it, as fractions of the font size. */
const ASCENT = 0.785
const [ABOVE_BASELINE, BELOW_BASELINE] = [0.75, 0.22]
/** Tolerance in pixels for content beyond its clipping edge. */
const TOLERANCE = 0.5

/** Elements that show only their content and their box. */
const PLAIN_TAGS = new Set([
  ...[
    'HTML',
    'BODY',
    'DIV',
    'SPAN',
    'P',
    'B',
    'STRONG',
    'H1',
    'H2',
    'H3',
    'H4',
    'H5',
    'H6',
    'A',
    'SMALL',
    'BR',
    'HR',
    'IMG',
    'PRE',
  ],
  ...['TABLE', 'TBODY', 'THEAD', 'TFOOT', 'TR', 'TD', 'TH', 'CENTER', 'SECTION', 'ARTICLE', 'HEADER', 'FOOTER', 'MAIN', 'CODE'],
  ...['UL', 'OL', 'LI', 'DL', 'DT', 'DD', 'FONT', 'LABEL', 'BDI', 'TT', 'BIG', '#document', '#text'],
])

/** Styles that change the appearance, with their neutral values. */
const NEUTRAL_STYLES = {
  visibility: 'visible',
  opacity: '1',
  transform: 'none',
  rotate: 'none',
  scale: 'none',
  translate: 'none',
  zoom: '1',
  filter: 'none',
  'mix-blend-mode': 'normal',
  'clip-path': 'none',
  clip: 'auto',
  'mask-image': 'none',
  'offset-path': 'none',
  'box-shadow': 'none',
  'text-shadow': 'none',
  'outline-style': 'none',
  'background-image': 'none',
  'border-image-source': 'none',
  'border-top-left-radius': '0px',
  'border-top-right-radius': '0px',
  'border-bottom-left-radius': '0px',
  'border-bottom-right-radius': '0px',
  'column-rule-style': 'none',
  'writing-mode': 'horizontal-tb',
  direction: 'ltr',
  'letter-spacing': 'normal',
  'word-spacing': '0px',
  hyphens: 'manual',
  'text-decoration-line': 'none',
  'text-emphasis-style': 'none',
  '-webkit-text-stroke-width': '0px',
  'font-style': 'normal',
  'font-variant-caps': 'normal',
  'z-index': 'auto',
  'object-fit': 'fill',
  'object-position': '50% 50%',
} as const

const SIDES = ['top', 'right', 'bottom', 'left'] as const
const mapSides = <const Name extends string>(name: (side: (typeof SIDES)[number]) => Name) => SIDES.map(name)

/** The styles to read. */
export const READ_STYLES = [
  ...Object.keys(NEUTRAL_STYLES),
  ...mapSides((side) => `border-${side}-width`),
  ...mapSides((side) => `border-${side}-style`),
  ...mapSides((side) => `border-${side}-color`),
  ...mapSides((side) => `padding-${side}`),
  ...[
    'content',
    'border-collapse',
    '-webkit-text-fill-color',
    'background-color',
    'font-size',
    'overflow-x',
    'overflow-y',
    'text-align',
    'white-space-collapse',
  ],
]

type Snapshot = Protocol.DOMSnapshot.CaptureSnapshotResponse
type Style = (name: string) => string

/** An item of the page with a position. */
type Box = { node: number; area: Area; style: Style; text: string; tag: string }

/** The page is more than text, pictures and black areas. */
class NotSimple extends Error {}

/** The items that a page shows, in document order; undefined if it is more than text, pictures and black areas. */
export function readPageElements({ documents, strings }: Snapshot): RenderedItem[] | undefined {
  const [page] = documents
  if (documents.length !== 1 || !page) return undefined
  try {
    return [...new Page(page, strings).collectElements()]
  } catch (error) {
    if (error instanceof NotSimple) return undefined
    throw error
  }
}

class Page {
  readonly #page: Protocol.DOMSnapshot.DocumentSnapshot
  readonly #strings: string[]
  /** The boxes of elements that clip their content, by node. */
  readonly #clippingBoxes = new Map<number, Area>()
  readonly #elements: RenderedItem[] = []

  constructor(page: Protocol.DOMSnapshot.DocumentSnapshot, strings: string[]) {
    this.#page = page
    this.#strings = strings
  }

  collectElements(): RenderedItem[] {
    const { layout } = this.#page
    for (const index of layout.nodeIndex.keys()) this.#inspect(this.#box(index), index)
    return this.#elements
  }

  #text = (index: number | undefined): string => this.#strings[index ?? -1] ?? ''

  #box(index: number): Box {
    const { layout, nodes } = this.#page
    const node = layout.nodeIndex[index] as number
    const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[index] ?? []
    const values = layout.styles[index] ?? []
    const style = (name: string) => this.#text(values[READ_STYLES.indexOf(name)])
    return {
      node,
      area: { x, y, width, height },
      style,
      text: this.#text(layout.text[index]),
      tag: this.#text(nodes.nodeName?.[node]),
    }
  }

  #inspect(box: Box, index: number): void {
    const { tag, style, text, node } = box
    if (tag === '#document') return
    if (!PLAIN_TAGS.has(tag) && !tag.startsWith('::')) throw new NotSimple()
    if (text !== '') this.#addLines(box, index)
    if (text !== '' || tag === '#text') return
    for (const [property, plain] of Object.entries(NEUTRAL_STYLES)) if (style(property) !== plain) throw new NotSimple()
    if (/url\(|gradient|image/.test(style('content').replaceAll(/"(?:[^"\\]|\\.)*"/g, ''))) throw new NotSimple()
    this.#addBackground(box)
    const edges = this.#addBorders(box)
    if (tag === 'IMG') this.#addPicture(box)
    if (style('overflow-x') !== 'visible' || style('overflow-y') !== 'visible') this.#clippingBoxes.set(node, edges)
  }

  #addBackground({ area, style, node }: Box): void {
    const color = classifyColor(style('background-color'))
    if (color === 'black') this.#show({ kind: 'black', ...area }, node)
    // it hides the items below it
    if (color === 'white' && this.#elements.some((other) => overlaps(other, area))) throw new NotSimple()
  }

  /** Adds the lines around a box. @returns the area inside them */
  #addBorders({ area, style, node }: Box): Area {
    const [top, right, bottom, left] = SIDES.map((side) => {
      const borderStyle = style(`border-${side}-style`)
      const width = Number.parseFloat(style(`border-${side}-width`)) || 0
      const color = classifyColor(style(`border-${side}-color`))
      if (borderStyle === 'none' || borderStyle === 'hidden' || width === 0) return { width: 0, isVisible: false }
      const isPlain = borderStyle === 'solid' && style('border-collapse') === 'separate'
      if (!isPlain && color === 'black') throw new NotSimple()
      return { width, isVisible: color === 'black' }
    }) as [Edge, Edge, Edge, Edge]
    const { x, y, width, height } = area
    const show = ({ isVisible }: Edge, line: Area) => isVisible && this.#show({ kind: 'black', ...line }, node)
    show(top, { x, y, width, height: top.width })
    show(bottom, { x, y: y + height - bottom.width, width, height: bottom.width })
    show(left, { x, y, width: left.width, height })
    show(right, { x: x + width - right.width, y, width: right.width, height })
    return {
      x: x + left.width,
      y: y + top.width,
      width: width - left.width - right.width,
      height: height - top.width - bottom.width,
    }
  }

  #addPicture({ area, style, node }: Box): void {
    const around = [...mapSides((side) => `border-${side}-width`), ...mapSides((side) => `padding-${side}`)]
    if (around.some((name) => Number.parseFloat(style(name)) !== 0)) throw new NotSimple()
    const attributes = this.#page.nodes.attributes?.[node] ?? []
    const source = attributes.findIndex((name, index) => index % 2 === 0 && this.#text(name) === 'src')
    this.#show({ kind: 'picture', ...area, source: this.#text(attributes[source + 1]) }, node)
  }

  /** Adds a run of text, which has a box for each of its lines, and for each separately laid out part of a line. */
  #addLines({ style, text, node }: Box, index: number): void {
    const { layoutIndex, bounds, start, length } = this.#page.textBoxes
    const keepsSpaces = style('white-space-collapse') !== 'collapse' && /\s{2}|[^\S ]/.test(text)
    if (keepsSpaces || classifyColor(style('-webkit-text-fill-color')) !== 'black' || style('text-align') === 'justify')
      throw new NotSimple()
    const size = Number.parseFloat(style('font-size'))
    for (let line = this.#firstLine(index); layoutIndex[line] === index; line++) {
      const [x = 0, y = 0, width = 0, height = 0] = bounds[line] ?? []
      const textStart = start[line] as number
      const letters = text.slice(textStart, textStart + (length[line] as number)).replaceAll(/\s+/g, ' ')
      if (letters.trim() === '') continue
      const baseline = y + height * ASCENT
      const area = { x, y: baseline - ABOVE_BASELINE * size, width, height: (ABOVE_BASELINE + BELOW_BASELINE) * size }
      if (this.#elements.some((other) => other.kind === 'black' && overlaps(other, area))) throw new NotSimple()
      this.#show({ kind: 'text', ...area, text: letters, size, baseline }, node)
    }
  }

  /** Lines are in the order of their boxes. */
  #firstLine(index: number): number {
    const { layoutIndex } = this.#page.textBoxes
    let [low, high] = [0, layoutIndex.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((layoutIndex[middle] as number) < index) low = middle + 1
      else high = middle
    }
    return low
  }

  /** @throws NotSimple if a part of it is clipped */
  #show(element: RenderedItem, node: number): void {
    if (this.#elements.length >= MAX_ELEMENTS) throw new NotSimple()
    const { parentIndex = [] } = this.#page.nodes
    for (let ancestor = parentIndex[node] ?? -1; ancestor >= 0; ancestor = parentIndex[ancestor] ?? -1) {
      const edges = this.#clippingBoxes.get(ancestor)
      if (edges && !isWithin(element, edges)) throw new NotSimple()
    }
    this.#elements.push(element)
  }
}

type Edge = { width: number; isVisible: boolean }

/** Classifies a color as black, white or transparent. @throws NotSimple for every other color */
function classifyColor(color: string): 'black' | 'white' | 'clear' {
  const [red = 0, green = 0, blue = 0, alpha = 1] = /^rgba?\(([\d., ]+)\)$/.exec(color)?.[1]?.split(', ').map(Number) ?? []
  if (!color.startsWith('rgb')) throw new NotSimple()
  if (alpha === 0) return 'clear'
  if (alpha !== 1) throw new NotSimple()
  const light = 0.299 * red + 0.587 * green + 0.114 * blue
  if (light <= DARK) return 'black'
  if (light >= LIGHT) return 'white'
  throw new NotSimple()
}

const overlaps = (first: Area, second: Area): boolean =>
  first.x + first.width > second.x + TOLERANCE &&
  second.x + second.width > first.x + TOLERANCE &&
  first.y + first.height > second.y + TOLERANCE &&
  second.y + second.height > first.y + TOLERANCE

const isWithin = (inner: Area, outer: Area): boolean =>
  inner.x >= outer.x - TOLERANCE &&
  inner.y >= outer.y - TOLERANCE &&
  inner.x + inner.width <= outer.x + outer.width + TOLERANCE &&
  inner.y + inner.height <= outer.y + outer.height + TOLERANCE
