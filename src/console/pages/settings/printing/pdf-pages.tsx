import workerUrl from 'url:pdfjs-dist/legacy/build/pdf.worker.min.mjs'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'

GlobalWorkerOptions.workerSrc = workerUrl

/** Maximum number of pages that are shown. */
const MAX_PAGES = 20

/** One worker for all previews: starting one takes longer than reading a document. */
let worker: PDFWorker | undefined

/** The pages of a PDF as pictures: phones show no PDF inside of a page. The previous pages stay until the new ones are drawn. */
export function PdfPages({ file, onDrawn }: { file: Blob; onDrawn: () => void }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isOver = false
    worker ??= new PDFWorker()
    const loading = file.arrayBuffer().then((data) => getDocument({ data, worker, verbosity: 0 }))
    const draw = async () => {
      const pdf = await (await loading).promise
      const pages: HTMLCanvasElement[] = []
      for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && !isOver; number++)
        pages.push(await drawPage(pdf, number, host.current?.clientWidth ?? 600))
      if (isOver) return
      host.current?.replaceChildren(...pages)
      onDrawn()
    }
    draw().catch((error) => {
      if (!isOver) throw error
    })
    return () => {
      isOver = true
      void loading.then((task) => task.destroy())
    }
  }, [file])
  return <div class="pdf-pages" ref={host} />
}

async function drawPage(pdf: PDFDocumentProxy, number: number, width: number): Promise<HTMLCanvasElement> {
  const page = await pdf.getPage(number)
  const scale = (width / page.getViewport({ scale: 1 }).width) * window.devicePixelRatio
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  canvas.role = 'img'
  canvas.ariaLabel = t('templates.page-of', { page: number, pages: pdf.numPages })
  await page.render({ canvas, viewport }).promise
  return canvas
}
