import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../language/language.ts'
import { attempt, showToast, warn } from '../page/toast.tsx'
import { ApiError, get, type Page, print, withQuery } from '../service/api.ts'
import { translateTemplateName } from './built-in-templates.ts'

type Template = { pk: number; name: string }

/** The kinds of orders, as templates and attachments name them. */
export type DocumentModel = 'build' | 'purchaseorder' | 'returnorder' | 'salesorder' | 'transferorder'

type Properties = {
  /** The kind of the objects. */
  model: DocumentModel
  pks: readonly number[]
}

/** Menu items that print a report of the objects, one for each matching template. */
export function PrintReports({ model, pks }: Properties) {
  const templates = useSignal<readonly Template[] | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    const query = { model_type: model, items: pks.join(','), enabled: true, limit: 50 }
    get<Page<Template>>(withQuery('/api/report/template/', query)).then(
      ({ body }) => {
        templates.value = body.results
      },
      (error) => {
        // an account that may not view templates prints nothing
        if (!(error instanceof ApiError)) throw error
        templates.value = []
      },
    )
  }, [])
  async function printTemplate(template: number) {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await openReport({ template, items: pks })
    } finally {
      isBusy.value = false
    }
  }
  return (
    <>
      <strong>{t('print.title')}</strong>
      {templates.value?.length === 0 && <p class="quiet-text">{t('print.none')}</p>}
      {/* a placeholder: the first template does not move the items below */}
      {!templates.value && <p class="quiet-text">…</p>}
      {templates.value?.map(({ pk, name }) => (
        <button key={pk} type="button" class="quiet" disabled={isBusy.value} onClick={() => printTemplate(pk)}>
          {translateTemplateName(name)}
        </button>
      ))}
    </>
  )
}

/** Prints the report, and shows the file in a new window. */
async function openReport(body: { template: number; items: readonly number[] }): Promise<void> {
  // browsers block a window that opens after an await
  const previewWindow = window.open('', '_blank')
  const isPrinted = await attempt(async () => {
    const { file, warnings } = await print('/api/report/print/', body)
    if (previewWindow && file) previewWindow.location.replace(file)
    else previewWindow?.close()
    showToast(t('print.done'))
    for (const text of warnings) warn(text)
  })
  if (!isPrinted) previewWindow?.close()
}
