import { type Signal, useComputed } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { NumberInput } from '../../kit/form/number-input.tsx'
import { formatNumber, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { useProgressiveRows } from '../../kit/page/progressive-rows.ts'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import { formatIdentifier, formatItemQuantity, type StockItem } from '../stock/stock-details.tsx'
import { compareCount, type TypedCounts } from './count-rows.ts'

type Properties = { items: readonly StockItem[]; counted: Signal<TypedCounts>; isBlind: boolean; isDeep: boolean }

/** The lines of a count. Enter completes a line and moves to the next one. An empty line counts as expected, unless the count is blind. */
export function CountTable({ items, counted, isBlind, isDeep }: Properties) {
  const ref = useRef<HTMLTableElement>(null)
  const inputs = () => [...(ref.current?.querySelectorAll('input') ?? [])]
  useEffect(() => inputs()[0]?.focus(), [])
  const visibleCount = useProgressiveRows(items.length)
  const moveFocus = useCallback((from: HTMLInputElement, step: number) => {
    const all = inputs()
    const next = all[all.indexOf(from) + step]
    if (next) next.focus()
    else if (step > 0) document.querySelector<HTMLElement>('.count-foot button:enabled')?.focus()
  }, [])
  return (
    <table class="editable-grid" ref={ref} data-scans="page" aria-label={t('count.title')}>
      <thead>
        <tr>
          <th scope="col">{label('part')}</th>
          {!isBlind && (
            <th scope="col" class="end">
              {t('count.expected')}
            </th>
          )}
          <th scope="col" class="end">
            {t('count.counted')}
          </th>
          {!isBlind && (
            <th scope="col" class="end wide-only">
              {t('count.difference')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.slice(0, visibleCount).map((item) => (
          <Line key={item.pk} item={item} counted={counted} isBlind={isBlind} isDeep={isDeep} moveFocus={moveFocus} />
        ))}
      </tbody>
    </table>
  )
}

type LineProperties = Omit<Properties, 'items'> & { item: StockItem; moveFocus: (from: HTMLInputElement, step: number) => void }

/** A line, which re-renders when its own count changes. */
function Line({ item, counted, isBlind, isDeep, moveFocus }: LineProperties) {
  const typedText = useComputed(() => counted.value[item.pk] ?? '').value
  const { quantity: countedQuantity, isInvalid, difference } = compareCount(item, typedText)
  const setTypedText = (newValue: string) => {
    const { [item.pk]: _before, ...others } = counted.value
    counted.value = newValue === '' ? others : { ...others, [item.pk]: newValue }
  }
  const name = item.part_detail?.full_name ?? String(item.part)
  const details = [formatIdentifier(item), isDeep && item.location_detail?.pathstring].filter(Boolean).join(' · ')
  const differenceText =
    difference === 0 ? (
      <Icon name="check" />
    ) : item.serial ? (
      t('count.missing')
    ) : (
      `${difference > 0 ? '+' : '−'}${formatWithUnit(Math.abs(difference), item.part_detail?.units)}`
    )
  return (
    <tr class={countedQuantity === undefined ? '' : difference === 0 ? 'same' : 'has-difference'}>
      <th scope="row">
        <a class="plain" href={`/stock/item/${item.pk}/`} tabIndex={-1}>
          <Thumbnail url={item.part_detail?.thumbnail} />
          <span class="wide-only">{name}</span>
          <span class="narrow-only">{item.part_detail?.name ?? name}</span>
        </a>
        {item.part_detail?.IPN && <small class="narrow-only">{item.part_detail.IPN}</small>}
        {details && <small>{details}</small>}
      </th>
      {!isBlind && <td class="end">{formatItemQuantity(item)}</td>}
      <td class="end">
        <NumberInput
          data-item={item.pk}
          aria-label={t('count.of-item', { item: [name, formatIdentifier(item)].filter(Boolean).join(' ') })}
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? `wrong-${item.pk}` : undefined}
          autocomplete="off"
          size={8}
          value={typedText}
          onNumber={setTypedText}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => {
            const input = event.currentTarget
            if (event.ctrlKey || event.metaKey || event.altKey) return
            if (event.key === 'Enter') {
              event.preventDefault()
              if (input.value === '' && !isBlind) setTypedText(String(item.quantity))
              // the button is enabled after this render
              requestAnimationFrame(() => moveFocus(input, 1))
            } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault()
              moveFocus(input, event.key === 'ArrowDown' ? 1 : -1)
            }
          }}
        />
        {/* a phone has no room for this column */}
        {!isBlind && countedQuantity !== undefined && <small class="narrow-only difference">{differenceText}</small>}
        {isInvalid && (
          <small class="alert-text" id={`wrong-${item.pk}`} role="alert">
            {item.serial ? t('count.one-or-none') : t('limit.number', { example: formatNumber(1.5) })}
          </small>
        )}
      </td>
      {!isBlind && <td class="end difference wide-only">{countedQuantity !== undefined && differenceText}</td>}
    </tr>
  )
}
