import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Field, sentBy, useForm } from '../../../kit/form/form.tsx'
import { FormFooter } from '../../../kit/form/form-footer.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate, query, setQuery } from '../../../kit/navigation/router.ts'
import type { ResourceMetadata } from '../../../kit/service/field-metadata.ts'
import { may } from '../../../kit/service/session.ts'
import { nameOf } from '../../../scanner/describe.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone, type ScanResponse } from '../../../scanner/waiting-scans.ts'
import type { Mode } from '../mode.ts'
import { type Label, SupplierPartOfLabel } from '../supplier-part.tsx'

export const link: Mode = {
  name: 'link',
  title: 'scan.mode.link',
  icon: 'link',
  help: 'scan.help.link',
  isFor: () => ['part', 'stock', 'stock_location', 'purchase_order', 'sales_order', 'build'].some((role) => may('change', role)),
  async handleScan(code, station) {
    const waiting = query('code')
    const lookup = await station.lookUp(code)
    if ('isAway' in lookup) return station.report({ tone: 'refused', text: t('scan.not-without-network'), more: shortened(code) })
    if ('answer' in lookup) {
      setQuery({ code }, { replace: true })
      const more = labelOf(lookup.answer) ? t('scan.is-label') : shortened(code)
      return station.report({ tone: 'waits', text: t('scan.what-is-it'), more })
    }
    const { object } = lookup
    if (!waiting)
      return station.report({ tone: 'found', text: t('scan.stands-for', { what: nameOf(object) }), to: object.web_url })
    await linkCode(waiting, { [object.kind]: object.pk }, station)
  },
  Panel: LinkPanel,
}

/** The text fields of a supplier's label, in the interpretation with the most fields; undefined for a label without a part, such as an EAN. */
function labelOf({ body }: ScanResponse): Label | undefined {
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
  const from = query('from')
  if (from?.startsWith('/scan/')) navigate(from, { replace: true })
  else setQuery({ code: undefined, from: undefined }, { replace: true })
}

/** The code waiting to be linked. */
function LinkPanel({ station }: { station: Station }) {
  const code = query('code')
  /** The contents of its label, once they are loaded. */
  const read = useSignal<{ label: Label | undefined } | undefined>(undefined)
  useEffect(() => {
    read.value = undefined
    if (!code) return
    station.lookUp(code).then((lookup) => {
      read.value = { label: 'answer' in lookup ? labelOf(lookup.answer) : undefined }
    })
  }, [code])
  if (!code) return null
  const label = read.value?.label
  return (
    <div class="scan-code">
      <p>
        <span>{t('scan.code')}</span> <code>{shortened(code)}</code>
      </p>
      {label && may('add', 'purchase_order') ? (
        <SupplierPartOfLabel
          key={code}
          label={label}
          onCreated={(sku) => {
            station.report({ tone: 'did', text: t('scan.supplier-part-made', { sku }), more: t('scan.label-is-known') })
            resumeScanning()
          }}
          onCancel={resumeScanning}
        />
      ) : (
        <>
          <p class="help">{t('scan.scan-what-it-is')}</p>
          {read.value && <ChooseByName key={code} code={code} station={station} />}
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
function ChooseByName({ code, station }: { code: string; station: Station }) {
  const form = useForm(metadata, { part: null, stocklocation: null })
  const offered = { part: may('change', 'part'), stocklocation: may('change', 'stock_location') }
  if (!offered.part && !offered.stocklocation) return null
  const [chosen] = Object.entries(form.values.value).filter(([, pk]) => typeof pk === 'number') as [string, number][]
  return (
    <form {...sentBy(() => chosen && station.enqueue(() => linkCode(code, { [chosen[0]]: chosen[1] }, station)))}>
      <div class="fields">
        {offered.part && <Field form={form} name="part" title={t('scan.part')} help={null} />}
        {offered.stocklocation && <Field form={form} name="stocklocation" title={t('scan.place')} help={null} />}
      </div>
      <FormFooter form={form} isDisabled={!chosen} onCancel={resumeScanning}>
        {t('scan.mode.link')}
      </FormFooter>
    </form>
  )
}
