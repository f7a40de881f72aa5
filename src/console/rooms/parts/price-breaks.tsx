import internalFacts from 'facts:/api/part/internal-price/'
import saleFacts from 'facts:/api/part/sale-price/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answer, post } from '../../kit/api.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { Field } from '../../kit/form.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { money, quantity, t } from '../../kit/language.ts'
import { Panel } from '../../kit/page.tsx'
import { remove } from '../../kit/saves.ts'
import { Sheet, type SheetColumn } from '../../kit/sheet.tsx'
import { keepingDetails } from '../orders/order.ts'
import { MoreRows } from './more-rows.tsx'
import type { Part } from './part-facts.tsx'
import type { PriceBreak } from './part-reading.ts'

/** The two kinds of prices of a part, with the key that adds one. */
const KINDS = {
  internal: { facts: internalFacts, title: 'parts.internal-prices', add: 'parts.new-internal-price', keys: 'i' },
  sale: { facts: saleFacts, title: 'parts.sale-prices', add: 'parts.new-sale-price', keys: 's' },
} as const

type Properties = {
  kind: keyof typeof KINDS
  part: Part
  breaks: readonly PriceBreak[]
  total: number
  /** In which a first price is. */
  currency: string
  rights: { add: boolean; change: boolean; delete: boolean }
  again: () => void
  onMore: () => void
}

/** Prices of a part, each from some quantity on, as a sheet. */
export function PriceBreaks({ kind, part, breaks, total, currency, rights, again, onMore }: Properties) {
  const { facts, title, add, keys } = KINDS[kind]
  const rows = useSignal(breaks)
  const isAdding = useSignal(false)
  const leaving = useSignal<PriceBreak | undefined>(undefined)
  useEffect(() => {
    rows.value = breaks
  }, [breaks])
  const start = () => {
    isAdding.value = true
  }
  const close = () => {
    isAdding.value = false
    leaving.value = undefined
  }
  useCommands(() => (rights.add ? [{ keys, label: () => t(add), run: start }] : []), [rights.add, kind])
  const columns: SheetColumn<PriceBreak>[] = [
    {
      name: 'quantity',
      title: () => t('parts.from-quantity'),
      align: 'end',
      cell: (row) => quantity(row.quantity, part.units),
      edit: true,
    },
    {
      name: 'price',
      title: () => t('parts.price-each'),
      align: 'end',
      cell: (row) => money(row.price, row.price_currency),
      edit: true,
    },
    { name: 'price_currency', width: '6rem', cell: (row) => row.price_currency, edit: true },
  ]
  const last = breaks.at(-1)
  return (
    <Panel
      title={t(title)}
      class="flush"
      actions={
        rights.add && (
          <button type="button" class="quiet" aria-keyshortcuts={keys} onClick={start}>
            <Icon name="plus" />
            {t('parts.new-price')}
          </button>
        )
      }
    >
      {breaks.length > 0 ? (
        <Sheet<PriceBreak>
          facts={facts}
          title={t(title)}
          rows={rows.value}
          columns={columns}
          mayChange={rights.change}
          onRow={({ body, etag }: Answer<PriceBreak>) => {
            rows.value = keepingDetails(rows.value, body, etag)
            again()
          }}
          isBeside={kind === 'sale'}
          end={
            rights.delete
              ? (row) => (
                  <button
                    type="button"
                    class="quiet icon-only"
                    aria-label={t('parts.delete-price', { price: money(row.price, row.price_currency) })}
                    onClick={() => {
                      leaving.value = row
                    }}
                  >
                    <Icon name="trash" />
                  </button>
                )
              : undefined
          }
        />
      ) : (
        <p class="quiet-text pad">{t('parts.no-price')}</p>
      )}
      <MoreRows shown={breaks.length} total={total} onMore={onMore} />
      {isAdding.value && (
        <FormDialog<unknown>
          title={t(add)}
          facts={facts}
          start={{
            part: part.pk,
            quantity: breaks.length === 0 ? '1' : '',
            price: '',
            price_currency: last?.price_currency ?? currency,
          }}
          names={['quantity', 'price', 'price_currency']}
          without="rest"
          own={(form) => ({
            quantity: () => <Field form={form} name="quantity" title={t('parts.from-quantity')} help={part.units || null} />,
            price: () => <Field form={form} name="price" title={t('parts.price-each')} help={null} />,
            price_currency: () => <Field form={form} name="price_currency" help={null} />,
          })}
          button={t('save')}
          send={(values, key) => post(facts.path, values, key)}
          done={() => t('saved')}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
      {leaving.value && (
        <Confirm
          title={t('parts.delete-price', { price: money(leaving.value.price, leaving.value.price_currency) })}
          button={t('delete')}
          onConfirm={() => remove(`${facts.path}${leaving.value?.pk}/`, leaving.value?.etag).then(again)}
          onClose={close}
        />
      )}
    </Panel>
  )
}
