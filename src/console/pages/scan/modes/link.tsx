import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { bindSubmit, Field, useForm } from '../../../kit/form/form.tsx'
import { FormFooter } from '../../../kit/form/form-footer.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate, readQuery, setQuery } from '../../../kit/navigation/router.ts'
import type { ResourceMetadata } from '../../../kit/service/field-metadata.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { formatObjectName } from '../../../scanner/describe.ts'
import { formatCode, type Station } from '../../../scanner/station.ts'
import { isDone, type ScanResponse } from '../../../scanner/waiting-scans.ts'
import type { Mode } from '../mode.ts'
import { type Label, NewSupplierPartFromLabel } from '../supplier-part.tsx'

export const link: Mode = {
  name: 'link',
  title: 'scan.mode.link',
  icon: 'link',
  help: 'scan.help.link',
  isFor: () =>
    ['part', 'stock', 'stock_location', 'purchase_order', 'sales_order', 'build'].some((role) => hasPermission('change', role)),
  async handleScan(code, station) {
    const pendingCode = readQuery('code')
    const lookup = await station.lookUp(code)
    if ('isOffline' in lookup)
      return station.report({ tone: 'rejected', text: t('scan.no-lookup-offline'), detail: formatCode(code) })
    if ('response' in lookup) {
      setQuery({ code }, { replace: true })
      const detail = findLabel(lookup.response) ? t('scan.supplier-label') : formatCode(code)
      return station.report({ tone: 'waits', text: t('scan.unknown-barcode'), detail })
    }
    const { object } = lookup
    if (!pendingCode)
      return station.report({ tone: 'found', text: t('scan.belongs-to', { what: formatObjectName(object) }), to: object.web_url })
    await linkCode(pendingCode, { [object.kind]: object.pk }, station)
  },
  Panel: LinkPanel,
}

/** The text fields of a supplier's label, in the interpretation with the most fields; undefined for a label without a part, such as an EAN. */
function findLabel({ body }: ScanResponse): Label | undefined {
  const labels = ((body.labels ?? []) as Label[]).filter((one) => one.supplier_part_number || one.manufacturer_part_number)
  return labels.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)[0]
}

/** Links a code to an object. @param object its key, by its kind */
async function linkCode(code: string, object: Record<string, number>, station: Station): Promise<void> {
  const response = await station.execute('link', code, object)
  if (!response) return
  if (isDone(response)) resumeScanning()
  else station.reportError(response, code)
}

/** Clears the pending code, and returns to the station as it was when the code was scanned. */
function resumeScanning(): void {
  const from = readQuery('from')
  if (from?.startsWith('/scan/')) navigate(from, { replace: true })
  else setQuery({ code: undefined, from: undefined }, { replace: true })
}

/** The code waiting to be linked. */
function LinkPanel({ station }: { station: Station }) {
  const code = readQuery('code')
  /** The contents of its label, once they are loaded. */
  const loadedLabel = useSignal<{ label: Label | undefined } | undefined>(undefined)
  useEffect(() => {
    loadedLabel.value = undefined
    if (!code) return
    station.lookUp(code).then((lookup) => {
      loadedLabel.value = { label: 'response' in lookup ? findLabel(lookup.response) : undefined }
    })
  }, [code])
  if (!code) return null
  const label = loadedLabel.value?.label
  return (
    <div class="scan-code">
      <p>
        <span>{t('scan.code')}</span> <code>{formatCode(code)}</code>
      </p>
      {label && hasPermission('add', 'purchase_order') ? (
        <NewSupplierPartFromLabel
          key={code}
          label={label}
          onCreated={(sku) => {
            station.report({ tone: 'did', text: t('scan.supplier-part-created', { sku }), detail: t('scan.label-recognized') })
            resumeScanning()
          }}
          onCancel={resumeScanning}
        />
      ) : (
        <>
          <p class="help">{t('scan.link-hint')}</p>
          {loadedLabel.value && <SelectByName key={code} code={code} station={station} />}
        </>
      )}
    </div>
  )
}

/** The kinds of objects that can be selected by name. */
const metadata: ResourceMetadata = {
  path: '/api/barcode/link/',
  fields: { part: { kind: 'integer', isNullable: true }, stocklocation: { kind: 'integer', isNullable: true } },
  filters: {},
  orders: [],
}

/** Selects the object for the code by name, if the object has no label of its own yet. */
function SelectByName({ code, station }: { code: string; station: Station }) {
  const form = useForm(metadata, { part: null, stocklocation: null })
  const selectable = { part: hasPermission('change', 'part'), stocklocation: hasPermission('change', 'stock_location') }
  if (!selectable.part && !selectable.stocklocation) return null
  const [selected] = Object.entries(form.values.value).filter(([, pk]) => typeof pk === 'number') as [string, number][]
  return (
    <form {...bindSubmit(() => selected && station.enqueue(() => linkCode(code, { [selected[0]]: selected[1] }, station)))}>
      <div class="fields">
        {selectable.part && <Field form={form} name="part" title={t('scan.part')} help={null} />}
        {selectable.stocklocation && <Field form={form} name="stocklocation" title={t('scan.location')} help={null} />}
      </div>
      <FormFooter form={form} isDisabled={!selected} onCancel={resumeScanning}>
        {t('scan.mode.link')}
      </FormFooter>
    </form>
  )
}
