import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { bindSubmit, Control, useForm } from '../form/form.tsx'
import { FormFooter } from '../form/form-footer.tsx'
import { getSource } from '../form/reference.ts'
import { count, t } from '../language/language.ts'
import { useRead } from '../page/data.ts'
import { Icon } from '../page/icon.tsx'
import { type Page, type PrintResult, print, withQuery } from '../service/api.ts'
import { hasPermission } from '../service/session.ts'
import { Dialog } from '../window/dialog.tsx'
import { translateTemplateName } from './built-in-templates.ts'
import { DEFAULT_PRINTER_URL, PRINTER_PLUGIN, type PrinterName, readChoices, storeChoices, toPrinter } from './print-choices.ts'

type Template = { pk: number; name: string; description: string | null }
type PageData = {
  templates: Page<Template>
  defaultTemplate: { value: string }
  defaultPrinter: { value: string }
  /** The label printers that are turned on; left out for those who cannot see machines. */
  machines: Page<unknown>
  [item: `item ${number}`]: { pk: number }
}
type Properties = {
  /** Type of the labels' objects, as in the URL of their templates: `/api/label/stock/`. */
  kind: 'stock' | 'part' | 'location'
  /** The keys of the objects to print labels for. */
  items: readonly number[]
  onClose: () => void
}

/** Query parameters for the objects in the URLs of templates. */
const ITEM_PARAMETERS = { stock: 'items', part: 'parts', location: 'locations' } as const
/** Names of the sources of these objects, for `getSource`. */
const SOURCE_NAMES = { stock: 'stockItem', part: 'part', location: 'location' } as const
/** Maximum number of objects that are listed by name. */
const MAX_NAMED_ITEMS = 3
/** The user settings of the templates that are selected first. */
const DEFAULT_TEMPLATE_URLS = {
  stock: '/api/settings/user/DEFAULT_ITEM_LABEL_TEMPLATE/',
  part: '/api/settings/user/DEFAULT_PART_LABEL_TEMPLATE/',
  location: '/api/settings/user/DEFAULT_LOCATION_LABEL_TEMPLATE/',
} as const
const FORM_METADATA = { path: '/api/label/', fields: {}, filters: {}, orders: [] }

/** Asks for a label template, and prints the labels: as a PDF, or on the label printer. */
export function PrintLabels({ kind, items, onClose }: Properties) {
  const itemQuery = { [ITEM_PARAMETERS[kind]]: items.join(',') }
  const source = getSource(SOURCE_NAMES[kind])
  const itemUrls = items
    .slice(0, MAX_NAMED_ITEMS)
    .map((pk) => [`item ${pk}`, withQuery(`${source.url}${pk}/`, source.query ?? {})] as const)
  const { data, error } = useRead<PageData>(
    {
      templates: withQuery(`/api/label/${kind}/`, { ...itemQuery, enabled: true, limit: 100 }),
      defaultTemplate: DEFAULT_TEMPLATE_URLS[kind],
      defaultPrinter: DEFAULT_PRINTER_URL,
      machines: '/api/machine/?machine_type=label-printer&active=true&limit=1',
      ...Object.fromEntries(itemUrls),
    },
    ['machines', ...itemUrls.map(([name]) => name as `item ${number}`)],
  )
  const form = useForm(FORM_METADATA, { template: undefined, printer: undefined, copies: '1' })
  const result = useSignal<PrintResult | undefined>(undefined)
  const templateSelect = useRef<HTMLSelectElement>(null)
  useEffect(() => templateSelect.current?.focus(), [data])
  const templates = data?.templates.body.results ?? []
  const last = useMemo(() => readChoices(kind), [kind])
  const firstTemplate = [Number(data?.defaultTemplate.body.value), last.template].find((candidate) =>
    templates.some(({ pk }) => pk === candidate),
  )
  const {
    template = firstTemplate ?? templates[0]?.pk,
    printer = toPrinter(data?.defaultPrinter.body.value ?? '') ?? last.printer ?? 'pdf',
    copies,
  } = form.values.value as {
    template?: number
    printer?: PrinterName
    copies: string
  }
  const set = (name: string) => (value: unknown) => {
    form.values.value = { ...form.values.value, [name]: value }
  }
  async function send() {
    const plugin = printer === 'pdf' ? undefined : PRINTER_PLUGIN
    const url = withQuery(`/api/label/${kind}/${template}/print/`, { ...itemQuery, plugin })
    const printed = await form.submit((key) => print(url, { copies: Number(copies) }, key))
    if (!printed) return
    storeChoices(kind, { template, printer })
    result.value = printed
  }
  return (
    <Dialog title={t('labels.title')} onClose={onClose}>
      {error && <p class="problem">{error.message}</p>}
      {items.slice(0, MAX_NAMED_ITEMS).map((pk) => {
        const item = data?.[`item ${pk}`]?.body
        return (
          item && (
            <p key={pk} class="about">
              <strong>{source.getTitle(item)}</strong>
              <span class="quiet-text">{source.getDetail?.(item)}</span>
            </p>
          )
        )
      })}
      {data && items.length > MAX_NAMED_ITEMS && (
        <p class="quiet-text">{count('stock.and-more', items.length - MAX_NAMED_ITEMS)}</p>
      )}
      {data && templates.length === 0 && <p class="quiet-text">{t('labels.no-template')}</p>}
      {templates.length > 0 && result.value === undefined && (
        <form {...bindSubmit(send)}>
          <div class="fields">
            <label class="field">
              {t('labels.template')}
              <select
                // the form is rendered later than the dialog
                ref={templateSelect}
                value={template}
                onChange={(event) => set('template')(Number(event.currentTarget.value))}
              >
                {templates.map(({ pk, name }) => (
                  <option key={pk} value={pk}>
                    {translateTemplateName(name)}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              {t('labels.printer')}
              <select value={printer} onChange={(event) => set('printer')(event.currentTarget.value)}>
                <option value="pdf">{t('labels.pdf')}</option>
                <option value="machine">{t('labels.machine')}</option>
              </select>
            </label>
            {printer === 'machine' && data?.machines?.body.count === 0 && (
              <p class="notice">
                {t('labels.no-machine')} {hasPermission('add', 'admin') && <a href="/settings/printers/">{t('printers.add')}</a>}
              </p>
            )}
            <label class="field">
              {t('labels.copies')}
              <Control metadata={{ kind: 'integer', minimum: 1, maximum: 100 }} value={copies} onValue={set('copies')} />
            </label>
          </div>
          <FormFooter form={form}>
            <Icon name="print" />
            {count('labels.print', items.length * (Number(copies) || 1))}
          </FormFooter>
        </form>
      )}
      {result.value?.warnings.map((text) => (
        <p key={text} class="problem" role="alert">
          {text}
        </p>
      ))}
      {result.value !== undefined && (
        <div class="buttons">
          {result.value.file ? (
            <a
              class="button primary"
              href={result.value.file}
              target="_blank"
              rel="noreferrer"
              // Enter opens the file that Enter printed
              ref={(link) => link?.focus()}
            >
              {t('labels.open')}
            </a>
          ) : (
            <p>{t('labels.sent')}</p>
          )}
        </div>
      )}
    </Dialog>
  )
}
