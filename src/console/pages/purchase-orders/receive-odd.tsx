import { t } from '../../kit/language/language.ts'
import { type Delivery, tooFew, withoutSerials } from './delivery.ts'
import { inPacks } from './order-lines.tsx'
import { outstanding } from './purchase-order-details.ts'

/** The title of the confirmation for an unusual delivery; undefined if nothing is unusual. */
export const oddTitle = (delivery: Delivery): string | undefined =>
  withoutSerials(delivery).length > 0
    ? t('receive.no-serials-title')
    : tooFew(delivery).length > 0
      ? t('receive.few-title')
      : undefined

/** The unusual lines: trackable parts without serial numbers, and quantities far below the expected ones. */
export function Odd({ delivery }: { delivery: Delivery }) {
  const [unnumbered, few] = [withoutSerials(delivery), tooFew(delivery)]
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
      {unnumbered.length > 0 && few.length > 0 && <p>{t('receive.few-title')}</p>}
      {few.length > 0 && (
        <ul class="plain-list">
          {few.map(({ line, packs }) => (
            <li key={line.pk}>
              {t('receive.few-line', {
                part: line.part_detail?.name ?? '',
                came: inPacks(line, packs),
                expected: inPacks(line, outstanding(line)),
              })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
