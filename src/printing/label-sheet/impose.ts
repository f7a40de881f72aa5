import { type PdfParts, pdfParts, unknownForm, writePdf } from '../browser/pdf-objects.ts'
import { cellsOf, type LabelSheet } from './label-sheet.ts'

const POINTS_PER_MM = 72 / 25.4
const STREAM = '>> stream\n'

/** A page as a picture that can be drawn elsewhere. */
type Drawn = { number: number; left: number; bottom: number }

/**
 * Puts the pages of a PDF of Chromium, one label on each, onto sheets. Each label stays the page that it was: cut off at its edges, with
 * its own fonts and styles.
 * @param skip how many cells of the first sheet are left empty
 * @throws Error for a PDF that is not written as Chromium does
 */
export function impose(pdf: Buffer, sheet: LabelSheet, skip: number): Buffer {
  const parts = pdfParts(pdf)
  const objects = parts.objects.map((object) => [object] as (Buffer | string)[])
  const labels = pagesOf(parts).map((page) => drawn(parts, page, objects))
  const add = (text: (number: number) => string): number => {
    const number = objects.length + 1
    objects.push([`${number} 0 obj\n${text(number)}\nendobj\n`])
    return number
  }
  const perSheet = sheet.columns * sheet.rows
  const count = Math.ceil((skip + labels.length) / perSheet)
  // each sheet is two objects, and their root comes behind them
  const root = objects.length + 2 * count + 1
  const kids: number[] = []
  for (let at = 0; at < count; at++) {
    const first = at * perSheet - skip
    const here = labels.slice(Math.max(0, first), first + perSheet)
    const cells = cellsOf(sheet).slice(Math.max(0, -first))
    const marks = here.map((label, index) => draw(label, cells[index] as Cell, sheet)).join('')
    const content = add(() => `<</Length ${marks.length}>> stream\n${marks}\nendstream`)
    const xObjects = [...new Set(here.map(({ number }) => number))].map((number) => `/L${number} ${number} 0 R`).join(' ')
    const box = `[0 0 ${points(sheet.page.width)} ${points(sheet.page.height)}]`
    kids.push(
      add(
        () =>
          `<</Type /Page\n/Parent ${root} 0 R\n/MediaBox ${box}\n/Resources <</XObject <<${xObjects}>>>>\n/Contents ${content} 0 R>>`,
      ),
    )
  }
  add(() => `<</Type /Pages\n/Count ${count}\n/Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`)
  const catalog = add(() => `<</Type /Catalog\n/Pages ${root} 0 R>>`)
  return writePdf(objects, { catalog, info: parts.info })
}

type Cell = ReturnType<typeof cellsOf>[number]

/** What draws a label into a cell, and the cell's border. */
function draw({ number, left, bottom }: Drawn, { x, y }: Cell, { page, label, border }: LabelSheet): string {
  const [across, up] = [points(x), points(page.height - y - label.height)]
  const frame = border ? `0.5 w ${across} ${up} ${points(label.width)} ${points(label.height)} re S\n` : ''
  return `q 1 0 0 1 ${round(across - left)} ${round(up - bottom)} cm /L${number} Do Q\n${frame}`
}

/** The numbers of the pages below a node, in their order. */
function pagesOf({ objects, root }: PdfParts): number[] {
  const below = (number: number): number[] => {
    const text = headOf(objects[number - 1])
    const kids = /\/Type \/Pages\b/.test(text) ? /\/Kids \[([^\]]*)\]/.exec(text)?.[1] : undefined
    return kids === undefined ? [number] : [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => below(Number(kid)))
  }
  return below(root)
}

/** Makes the content of a page what can be drawn elsewhere; the page itself is no more. */
function drawn({ objects }: PdfParts, page: number, into: (Buffer | string)[][]): Drawn {
  const text = headOf(objects[page - 1])
  const number = Number(/\/Contents (\d+) 0 R/.exec(text)?.[1])
  const box = /\/MediaBox \[([^\]]*)\]/.exec(text)?.[1]
  const content = objects[number - 1]
  const stream = content?.indexOf(STREAM) ?? -1
  if (!content || stream === -1 || box === undefined) throw unknownForm()
  const head = content.toString('latin1', 0, stream)
  const form = `<</Type /XObject\n/Subtype /Form\n/BBox [${box}]\n/Resources ${dictionary(text, '/Resources ')}\n`
  into[number - 1] = [head.replace('<<', form), content.subarray(stream)]
  into[page - 1] = [`${page} 0 obj\nnull\nendobj\n`]
  const [left = 0, bottom = 0] = box.split(' ').map(Number)
  return { number, left, bottom }
}

/** The dictionary behind a name, with those in it. */
function dictionary(text: string, name: string): string {
  const from = text.indexOf(name) + name.length
  let depth = 0
  for (const { 0: mark, index } of text.slice(from).matchAll(/<<|>>/g)) {
    depth += mark === '<<' ? 1 : -1
    if (depth === 0) return text.slice(from, from + index + mark.length)
  }
  throw unknownForm()
}

const headOf = (object: Buffer | undefined): string => object?.toString('latin1') ?? ''

const points = (mm: number): number => round(mm * POINTS_PER_MM)
const round = (value: number): number => Number(value.toFixed(4))
