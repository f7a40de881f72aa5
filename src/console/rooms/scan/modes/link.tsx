import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { navigate, query, setQuery } from '../../../kit/navigation/router.ts'
import { may } from '../../../kit/service/session.ts'
import { nameOf } from '../../../scanner/describe.ts'
import { type Station, shortened } from '../../../scanner/station.ts'
import { isDone } from '../../../scanner/waiting-scans.ts'
import type { Mode } from '../mode.ts'
import { type Label, SupplierPartOfLabel } from '../supplier-part.tsx'

export const link: Mode = {
  name: 'link',
  title: 'scan.mode.link',
  icon: 'link',
  help: 'scan.help.link',
  isFor: () => ['part', 'stock', 'stock_location', 'purchase_order', 'sales_order', 'build'].some((role) => may('change', role)),
  async take(code, station) {
    const waiting = query('code')
    const found = await station.lookUp(code)
    if ('isAway' in found) return station.say({ tone: 'refused', text: t('scan.not-without-network'), more: shortened(code) })
    if ('answer' in found) {
      setQuery({ code }, { replace: true })
      const isLabel = Array.isArray(found.answer.body.labels)
      return station.say({ tone: 'waits', text: t('scan.what-is-it'), more: isLabel ? t('scan.is-label') : shortened(code) })
    }
    const { object } = found
    if (!waiting) return station.say({ tone: 'found', text: t('scan.stands-for', { what: nameOf(object) }), to: object.web_url })
    const answer = await station.work('link', waiting, { [object.kind]: object.pk })
    if (!answer) return
    if (isDone(answer)) goOn()
    else station.refuse(answer, waiting)
  },
  Panel: LinkPanel,
}

/** Nothing waits any more: it goes on at the station as it was when the code was scanned. */
function goOn(): void {
  const from = query('from')
  if (from?.startsWith('/scan/')) navigate(from, { replace: true })
  else setQuery({ code: undefined, from: undefined }, { replace: true })
}

/** The code that waits for what it is to stand for. */
function LinkPanel({ station }: { station: Station }) {
  const code = query('code')
  const label = useSignal<Label | undefined>(undefined)
  useEffect(() => {
    label.value = undefined
    if (!code) return
    station.lookUp(code).then((found) => {
      const labels = 'answer' in found ? (found.answer.body.labels as Label[] | undefined) : undefined
      // the one that says most
      label.value = labels?.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)[0]
    })
  }, [code])
  if (!code) return null
  return (
    <div class="scan-code">
      <p>
        <span>{t('scan.code')}</span> <code>{shortened(code)}</code>
      </p>
      {label.value && may('add', 'purchase_order') ? (
        <SupplierPartOfLabel
          key={code}
          label={label.value}
          onMade={(sku) => {
            station.say({ tone: 'did', text: t('scan.supplier-part-made', { sku }), more: t('scan.label-is-known') })
            goOn()
          }}
          onCancel={goOn}
        />
      ) : (
        <p class="help">{t('scan.scan-what-it-is')}</p>
      )}
    </div>
  )
}
