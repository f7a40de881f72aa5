import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { errorText, t } from '../../../kit/language/language.ts'
import { ApiError, postForFile } from '../../../kit/service/api.ts'
import type { LineError } from './code-editor.tsx'

/** Milliseconds after the last key until the preview is requested. */
const TYPING_PAUSE_MS = 120

export type Preview = {
  file: Blob | undefined
  /** The name of the printed file. */
  name: string | undefined
  /** Codes of characters that no typeface has. */
  missing: readonly string[]
  /** Errors of the text, at their lines. */
  errors: readonly LineError[]
  /** Another reason why there is no preview. */
  problem: string | undefined
  isBusy: boolean
}

const NO_ERRORS: readonly LineError[] = []

/** The preview of an unsaved template, requested when typing pauses. A newer request ends the previous one, in the service too. */
export function useTemplatePreview(body: Record<string, unknown>): Preview {
  const preview = useSignal<Preview>({
    ...{ file: undefined, name: undefined, missing: [], errors: NO_ERRORS, problem: undefined, isBusy: true },
  })
  const isFirst = useRef(true)
  const key = JSON.stringify(body)
  useEffect(() => {
    const controller = new AbortController()
    const load = async () => {
      preview.value = { ...preview.value, isBusy: true }
      try {
        const { file, name, warning } = await postForFile('/api/web/template/preview/', body, controller.signal)
        const missing = warning?.match(/U\+\w+/g) ?? []
        preview.value = { file, name, missing, errors: NO_ERRORS, problem: undefined, isBusy: false }
      } catch (error) {
        if ((error as Error).name === 'AbortError') return
        if (!(error instanceof ApiError)) throw error
        const errors = readLineErrors(error)
        // the last preview stays next to the errors
        preview.value = { ...preview.value, errors, problem: errors.length > 0 ? undefined : error.text, isBusy: false }
      }
    }
    const timer = setTimeout(load, isFirst.current ? 0 : TYPING_PAUSE_MS)
    isFirst.current = false
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return preview.value
}

const readLineErrors = ({ causes }: ApiError): LineError[] =>
  causes
    .filter(({ code }) => code === 'template_line_error')
    .map((cause) => {
      const { line, column, error } = cause.parameters as { line: number; column: number; error: string }
      return { line, column, text: error || errorText(cause) }
    })

type PdfPages = ComponentType<{ file: Blob; onDrawn: () => void }>

/** A label as a picture, a report as its pages, and the errors of the text. */
export function TemplatePreview({ preview, title }: { preview: Preview; title: string }) {
  const { file, name, missing, errors, problem, isBusy } = preview
  const isPdf = file?.type === 'application/pdf'
  const Pages = usePdfPages(isPdf)
  /** The number of previews that are shown: tests and measurements wait for it. */
  const shown = useSignal(0)
  const setShown = () => {
    shown.value++
  }
  const objectUrl = useObjectUrl(file)
  return (
    <section class="template-preview" aria-label={t('templates.preview')} aria-busy={isBusy} data-shown={shown.value}>
      {errors.length > 0 && (
        <div class="template-errors" role="alert">
          <ul>
            {errors.map(({ line, text }) => (
              <li key={`${line} ${text}`}>{t('templates.line', { line, text })}</li>
            ))}
          </ul>
        </div>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {missing.length > 0 && <p class="notice">{t('templates.missing-characters', { characters: missing.join(', ') })}</p>}
      <div class={errors.length > 0 || problem !== undefined ? 'preview-paper outdated' : 'preview-paper'}>
        {objectUrl && !isPdf && <img src={objectUrl} alt={t('templates.preview-of', { name: title })} onLoad={setShown} />}
        {file && isPdf && Pages && <Pages file={file} onDrawn={setShown} />}
      </div>
      {objectUrl && name && (
        <a class="quiet-text" href={objectUrl} download={isPdf ? name : name.replace(/\.pdf$/, '.png')}>
          {t('templates.save-preview', { name })}
        </a>
      )}
    </section>
  )
}

/** The viewer of PDFs, which only reports need. */
function usePdfPages(isNeeded: boolean): PdfPages | undefined {
  const component = useSignal<PdfPages | undefined>(undefined)
  useEffect(() => {
    if (!isNeeded || component.value) return
    void import('./pdf-pages.tsx').then(({ PdfPages }) => {
      component.value = PdfPages
    })
  }, [isNeeded])
  return component.value
}

/** The URL of a file for an element that shows it. */
function useObjectUrl(file: Blob | undefined): string | undefined {
  const url = useSignal<string | undefined>(undefined)
  useEffect(() => {
    if (!file) return
    const created = URL.createObjectURL(file)
    url.value = created
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url.value
}
