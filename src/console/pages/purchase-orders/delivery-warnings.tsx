import { t } from '../../kit/language/language.ts'
import { formatPacks } from './order-lines.tsx'
import { getOutstanding } from './purchase-order-details.ts'
import { findMissingSerials, findUnderReceived, type ReceiptForm } from './receipt-form.ts'

/** The title of the confirmation for an unusual delivery; undefined if nothing is unusual. */
export const getConfirmationTitle = (delivery: ReceiptForm): string | undefined =>
  findMissingSerials(delivery).length > 0
    ? t('receive.no-serials-title')
    : findUnderReceived(delivery).length > 0
      ? t('receive.few-title')
      : undefined

/** The unusual lines: trackable parts without serial numbers, and quantities far below the expected ones. */
export function UnusualLines({ delivery }: { delivery: ReceiptForm }) {
  const [unnumbered, underReceived] = [findMissingSerials(delivery), findUnderReceived(delivery)]
  return (
    <>
      {unnumbered.length > 0 && (
        <>
          <p>{t('receive.no-serials-text')}</p>
          <ul class="plain-list">
            {unnumbered.map((line) => (
              <li key={line.pk}>{line.part_detail?.name}</li>
            ))}
          </ul>
        </>
      )}
      {unnumbered.length > 0 && underReceived.length > 0 && <p>{t('receive.few-title')}</p>}
      {underReceived.length > 0 && (
        <ul class="plain-list">
          {underReceived.map(({ line, packs }) => (
            <li key={line.pk}>
              {t('receive.few-line', {
                part: line.part_detail?.name ?? '',
                came: formatPacks(line, packs),
                expected: formatPacks(line, getOutstanding(line)),
              })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
