import bomFacts from 'facts:/api/bom/'
import parameterFacts from 'facts:/api/part/parameter/'
import { useSignal } from '@preact/signals'
import { post } from '../../kit/api.ts'
import { useAsked } from '../../kit/asked.ts'
import type { Column } from '../../kit/column.ts'
import { EditCell } from '../../kit/edit-cell.tsx'
import { Field } from '../../kit/form.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { count, label, money, number, quantity, t } from '../../kit/language.ts'
import { Badge, Panel } from '../../kit/page.tsx'
import { ShortTable } from '../../kit/short-table.tsx'
import { NewManufacturerPart } from '../companies/new-manufacturer-part.tsx'
import { NewSupplierPart } from '../companies/new-supplier-part.tsx'
import { markOf, OK, quantityOf, States, type StockItem } from '../stock/stock-facts.tsx'
import type { Part } from './part-facts.tsx'
import type { BomLine, Parameter, PriceBreak, SupplierPart } from './part-reading.ts'

const STOCK_COLUMNS: readonly Column<StockItem>[] = [
  {
    name: 'location',
    cell: (item) => (
      <>
        <a href={`/stock/item/${item.pk}/`}>{item.location_detail?.pathstring ?? t('stock.nowhere')}</a>{' '}
        {(item.status !== OK || item.expired || item.stale) && <States item={item} />}
      </>
    ),
  },
  { name: 'mark', title: () => t('stock.mark'), cell: markOf, isWide: true },
  { name: 'quantity', align: 'end', cell: quantityOf },
]

/** What there is of a part, place by place. */
export const StockPanel = ({ part, items, total }: { part: Part; items: readonly StockItem[]; total: number }) => (
  <Panel
    title={t('parts.stock-by-place')}
    actions={
      <a class="panel-link" href={`/stock/?in_stock=true&part=${part.pk}`}>
        {count('locations.held', total)}
      </a>
    }
  >
    {items.length > 0 ? (
      <ShortTable title={t('parts.stock-by-place')} rows={items} columns={STOCK_COLUMNS} />
    ) : (
      <p class="quiet-text">{t('parts.no-stock')}</p>
    )}
  </Panel>
)

type SuppliersProperties = {
  part: Part
  parts: readonly SupplierPart[]
  breaks: readonly PriceBreak[]
  /** Whether the account may say who sells or makes it. */
  mayAdd: boolean
}

/** Who sells a part, and for how much. */
export function SuppliersPanel({ part, parts, breaks, mayAdd }: SuppliersProperties) {
  const making = useSignal<'sold' | 'made' | undefined>(undefined)
  const start = (what: typeof making.value) => () => {
    making.value = what
  }
  const mayMake = mayAdd && part.purchaseable
  useAsked('supplier', mayMake, start('sold'))
  useCommands(
    () =>
      mayMake
        ? [
            { keys: 's', label: () => t('companies.new-supplier-part'), run: start('sold') },
            { label: () => t('companies.new-manufacturer-part'), run: start('made') },
          ]
        : [],
    [mayMake],
  )
  if (parts.length === 0 && !mayMake) return null
  const pricesOf = ({ pk }: SupplierPart) => breaks.filter(({ part }) => part === pk)
  return (
    <Panel
      title={t('parts.suppliers')}
      actions={
        mayMake && (
          <>
            <button type="button" class="quiet" onClick={start('sold')}>
              <Icon name="plus" />
              {t('companies.supplier')}
            </button>
            <button type="button" class="quiet" onClick={start('made')}>
              <Icon name="plus" />
              {t('companies.manufacturer')}
            </button>
          </>
        )
      }
    >
      {parts.length === 0 && <p class="quiet-text">{t('parts.no-supplier')}</p>}
      {parts.length > 0 && (
        <ShortTable
          title={t('parts.suppliers')}
          rows={parts}
          columns={[
            {
              name: 'SKU',
              cell: ({ pk, SKU, MPN, active }) => (
                <>
                  <a href={`/supplier-part/${pk}/`}>{SKU}</a>
                  {!active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
                  {MPN && <small>{MPN}</small>}
                </>
              ),
            },
            {
              name: 'supplier',
              cell: ({ supplier, supplier_detail }) => <a href={`/company/${supplier}/`}>{supplier_detail?.name}</a>,
            },
            {
              name: 'pack_quantity',
              title: () => t('parts.pack'),
              align: 'end',
              isWide: true,
              cell: ({ pack_quantity }) => pack_quantity,
            },
            {
              name: 'price',
              title: () => t('parts.price-from'),
              align: 'end',
              cell: (part) => (
                <span class="breaks">
                  {pricesOf(part).map(({ pk, quantity: from, price, price_currency }) => (
                    <span key={pk}>
                      <small>{t('parts.from', { quantity: number(from) })}</small> {money(price, price_currency)}
                    </span>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
      {making.value === 'sold' && <NewSupplierPart part={part.pk} onClose={start(undefined)} />}
      {making.value === 'made' && <NewManufacturerPart part={part.pk} onClose={start(undefined)} />}
    </Panel>
  )
}

type BomProperties = { part: Part; lines: readonly BomLine[]; mayChange: boolean; again: () => void }

/** What an assembly is made of. Quantities and references are edited in place. */
export function BomPanel({ part, lines, mayChange, again }: BomProperties) {
  const isAdding = useSignal(false)
  const add = () => {
    isAdding.value = true
  }
  const close = () => {
    isAdding.value = false
  }
  useCommands(() => (mayChange ? [{ keys: 'b', label: () => t('parts.add-component'), run: add }] : []), [mayChange])
  const cell = (name: 'quantity' | 'reference', line: BomLine, shown: string, align?: 'end') =>
    mayChange && line.part === part.pk ? (
      <EditCell facts={bomFacts} name={name} row={line} onSaved={again} align={align}>
        {shown}
      </EditCell>
    ) : (
      shown
    )
  return (
    <Panel
      title={t('parts.bom')}
      actions={
        mayChange && (
          <button type="button" class="quiet" onClick={add}>
            <Icon name="plus" />
            {t('parts.add-component')}
          </button>
        )
      }
    >
      {lines.length > 0 ? (
        <ShortTable
          title={t('parts.bom')}
          rows={lines}
          columns={[
            {
              name: 'sub_part',
              cell: ({ sub_part, sub_part_detail, optional, consumable }) => (
                <>
                  <a href={`/part/${sub_part}/`}>{sub_part_detail?.full_name}</a>{' '}
                  {optional && <Badge>{t('parts.optional')}</Badge>} {consumable && <Badge>{t('parts.consumable')}</Badge>}
                </>
              ),
            },
            { name: 'reference', isWide: true, cell: (line) => cell('reference', line, line.reference) },
            {
              name: 'quantity',
              align: 'end',
              cell: (line) => cell('quantity', line, quantity(line.quantity, line.sub_part_detail?.units), 'end'),
            },
            {
              name: 'available_stock',
              title: () => t('parts.free'),
              align: 'end',
              cell: (line) => {
                const free = line.available_stock + line.available_variant_stock + line.available_substitute_stock
                return (
                  <span class={free < line.quantity && !line.consumable ? 'low' : ''}>
                    {quantity(free, line.sub_part_detail?.units)}
                  </span>
                )
              },
            },
          ]}
        />
      ) : (
        <p class="quiet-text">{t('parts.no-bom')}</p>
      )}
      {isAdding.value && (
        <FormDialog<unknown>
          title={t('parts.add-component')}
          facts={bomFacts}
          start={{ part: part.pk, sub_part: null, quantity: '1', reference: '' }}
          names={['sub_part', 'quantity', 'reference']}
          without={['part']}
          own={(form) => ({
            sub_part: () => <Field form={form} name="sub_part" help={null} />,
            quantity: () => <Field form={form} name="quantity" help={t('parts.per-one')} />,
            reference: () => <Field form={form} name="reference" help={null} />,
          })}
          send={(values, key) => post(bomFacts.path, values, key)}
          done={() => t('saved')}
          onDone={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )}
    </Panel>
  )
}

/** The assemblies that a part is a component of. */
export const UsesPanel = ({ lines, total }: { lines: readonly BomLine[]; total: number }) =>
  lines.length === 0 ? null : (
    <Panel title={t('parts.used-in')}>
      <ShortTable
        title={t('parts.used-in')}
        rows={lines}
        columns={[
          { name: 'part', cell: ({ part, part_detail }) => <a href={`/part/${part}/`}>{part_detail?.full_name}</a> },
          { name: 'reference', isWide: true, cell: ({ reference }) => reference },
          { name: 'quantity', align: 'end', cell: (line) => number(line.quantity) },
        ]}
      />
      {total > lines.length && <p class="quiet-text">{t('parts.and-more', { count: total - lines.length })}</p>}
    </Panel>
  )

type ParametersProperties = {
  part: Part
  parameters: readonly Parameter[]
  mayChange: boolean
  again: () => void
  /** Whether one is being added, and what begins and ends that. */
  isAdding: boolean
  onAdd: () => void
  onClose: () => void
}

/** What a part is like, by parameters. */
export function ParametersPanel({ part, parameters, mayChange, again, isAdding, onAdd, onClose }: ParametersProperties) {
  if (parameters.length === 0 && !isAdding) return null
  return (
    <Panel
      title={t('parts.parameters')}
      actions={
        mayChange && (
          <button type="button" class="quiet" onClick={onAdd}>
            <Icon name="plus" />
            {t('parts.add-parameter')}
          </button>
        )
      }
    >
      {parameters.length > 0 && (
        <ShortTable
          title={t('parts.parameters')}
          rows={parameters}
          columns={[
            { name: 'name', cell: ({ template_detail }) => template_detail?.name },
            {
              name: 'data',
              cell: (parameter) => {
                const shown = [parameter.data, hasUnits(parameter) && parameter.template_detail?.units].filter(Boolean).join(' ')
                if (!mayChange) return shown
                return (
                  <EditCell facts={parameterFacts} name="data" row={parameter} onSaved={again}>
                    {shown}
                  </EditCell>
                )
              },
            },
          ]}
        />
      )}
      {isAdding && (
        <FormDialog<unknown>
          title={t('parts.add-parameter')}
          facts={parameterFacts}
          start={{ part: part.pk, template: null, data: '' }}
          names={['template', 'data']}
          without="rest"
          own={(form) => ({
            template: () => <Field form={form} name="template" title={t('parts.parameter')} help={null} />,
            data: () => <Field form={form} name="data" title={label('data')} help={null} />,
          })}
          send={(values, key) => post(parameterFacts.path, values, key)}
          done={() => t('saved')}
          onDone={() => {
            onClose()
            again()
          }}
          onClose={onClose}
        />
      )}
    </Panel>
  )
}

/** A value that is a plain number is in the units of its parameter; another says its own. */
const hasUnits = ({ data }: Parameter): boolean => /^[\d.,]+$/.test(data)
