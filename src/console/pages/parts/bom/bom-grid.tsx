import metadata from 'metadata:/api/bom/'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { isSingleText, readDelimited } from '../../../../spreadsheets/delimited-text.ts'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import { AddLine } from '../../../kit/grid/add-line.tsx'
import { EditableGrid, type GridColumn } from '../../../kit/grid/grid.tsx'
import { useAddedRow, useSavedRows } from '../../../kit/grid/rows.tsx'
import { formatPriceRange, formatWithUnit, t } from '../../../kit/language/language.ts'
import { useCommands } from '../../../kit/navigation/keys.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Badge, Panel } from '../../../kit/page/page.tsx'
import { Thumbnail } from '../../../kit/page/thumbnail.tsx'
import { compare } from '../../../kit/values/exact.ts'
import { AvailableQuantity } from '../../stock/available-quantity.tsx'
import { MoreRows } from '../more-rows.tsx'
import type { Part } from '../part-details.tsx'
import type { BomLine } from '../part-requests.ts'
import { BomLineDialog } from './bom-line.tsx'
import { getAvailable } from './can-build.ts'
import { FlagsLegend, flagsColumn } from './flags-column.tsx'
import { Substitutes } from './substitutes.tsx'

type Properties = {
  part: Part
  lines: readonly BomLine[]
  /** Total number of lines, of which the first are loaded. */
  total: number
  /** Currency of the prices. */
  currency: string
  canChange: boolean
  canAdd: boolean
  reload: () => void
  /** Called after rows of a spreadsheet were pasted. */
  onTable: (table: File) => void
  /** Loads the next lines, or all up to a given number. */
  onMore: (upTo?: number) => void
}

const createColumns = (part: number, currency: string, reload: () => void): readonly GridColumn<BomLine>[] => {
  const isOwn = (line: BomLine) => line.part === part
  const columns: GridColumn<BomLine>[] = [
    {
      name: 'sub_part',
      cell: (line) => (
        <>
          <a class="component-name" href={`/part/${line.sub_part}/`}>
            <Thumbnail url={line.sub_part_detail?.thumbnail} />
            {line.sub_part_detail?.full_name}
          </a>{' '}
          {!line.validated && (
            <span class="unchecked" title={t('parts.not-validated')}>
              <Icon name="warning" />
              <span class="visually-hidden">{t('parts.not-validated')}</span>
            </span>
          )}
          {!isOwn(line) && (
            <small>
              {t('parts.inherited-from')} <a href={`/part/${line.part}/bom/`}>{line.part_detail?.full_name}</a>
            </small>
          )}
          <span class="narrow-flags">
            {line.optional && <Badge>{t('parts.optional')}</Badge>} {line.consumable && <Badge>{t('parts.consumable')}</Badge>}
          </span>
          {line.note && <small>{line.note}</small>}
        </>
      ),
    },
    {
      name: 'quantity',
      width: '7rem',
      align: 'end',
      cell: (line) => formatWithUnit(line.quantity, line.sub_part_detail?.units),
      edit: true,
    },
    { name: 'reference', width: '9rem', isWide: true, cell: ({ reference }) => reference, edit: true },
    { name: 'overage', width: '6rem', align: 'end', isDesk: true, cell: ({ overage }) => overage, edit: true },
    flagsColumn,
    {
      name: 'substitutes',
      title: () => t('parts.substitutes'),
      width: '13rem',
      isDesk: true,
      cell: ({ substitutes }) => <small>{substitutes.map(({ part_detail }) => part_detail?.full_name).join(', ')}</small>,
      edit: ({ row, cancel }) => <Substitutes line={row} onChanged={reload} onClose={cancel} />,
    },
    {
      name: 'available_stock',
      title: () => t('parts.available'),
      width: '7rem',
      align: 'end',
      isWide: true,
      cell: (line) => (
        <span class={compare(getAvailable(line), line.quantity) < 0 && !line.consumable ? 'low' : ''}>
          <AvailableQuantity units={line.sub_part_detail?.units} flaws={line.flawed_stock}>
            {formatWithUnit(getAvailable(line), line.sub_part_detail?.units)}
          </AvailableQuantity>
        </span>
      ),
    },
    {
      name: 'cost',
      title: () => t('parts.cost'),
      width: '8rem',
      align: 'end',
      isDesk: true,
      cell: (line) => formatPriceRange(line.pricing_min_total, line.pricing_max_total, currency),
    },
  ]
  return columns.map((column) => ({ ...column, isOpen: isOwn }))
}

/** The lines of a BOM, as a sheet; below them a search field adds the next component. */
export function BomSheet({ part, lines, total, currency, canChange, canAdd, reload, onMore, onTable }: Properties) {
  const { rows, save } = useSavedRows(lines, reload)
  const { editRequest, add } = useAddedRow(metadata.path, 'quantity', reload)
  const addedCount = useSignal(0)
  const openLine = useSignal<BomLine | undefined>(undefined)
  const addLine = useRef<HTMLDivElement>(null)
  const focusSearch = () => addLine.current?.querySelector('input')?.focus()
  useCommands(() => (canAdd ? [{ keys: 'a', label: () => t('parts.add-component'), run: focusSearch }] : []), [canAdd])
  async function addComponent(component: number) {
    const isAdded = await add({ part: part.pk, sub_part: component, quantity: 1 })
    // the new line is the last one
    if (isAdded) onMore(total + 1)
    addedCount.value++
  }
  // keeps the columns stable, so that a long BOM is not rendered again
  const latestReload = useRef(reload)
  latestReload.current = reload
  const columns = useMemo(() => createColumns(part.pk, currency, () => latestReload.current()), [part.pk, currency])
  const renderEditButton = useMemo(
    () => (line: BomLine) =>
      line.part === part.pk && (
        <button
          type="button"
          class="quiet icon-only"
          aria-label={t('parts.edit-line', { part: line.sub_part_detail?.full_name ?? '' })}
          title={t('edit')}
          onClick={() => {
            openLine.value = line
          }}
        >
          <Icon name="edit" />
        </button>
      ),
    [part.pk],
  )
  return (
    <Panel class="flush">
      {rows.value.length > 0 ? (
        <EditableGrid<BomLine>
          metadata={metadata}
          title={t('parts.bom')}
          rows={rows.value}
          columns={columns}
          canChange={canChange}
          onRow={save}
          editRequest={editRequest}
          end={canChange ? renderEditButton : undefined}
        />
      ) : (
        <p class="quiet-text pad">{t('parts.no-bom')}</p>
      )}
      <MoreRows visibleCount={rows.value.length} total={total} onMore={() => onMore()} />
      {rows.value.length > 0 && <FlagsLegend />}
      {canAdd && (
        <AddLine
          containerRef={addLine}
          onPaste={(text) => {
            const table = pastedFile(text)
            if (table) onTable(table)
            return table !== undefined
          }}
        >
          <Combobox
            key={addedCount.value}
            source={{ ...getSource('part'), query: { active: true, component: true } }}
            value={null}
            onPick={(component) => component && addComponent(component.pk)}
            placeholder={t('parts.add-component-hint')}
            attributes={{ 'aria-label': t('parts.add-component') }}
          />
        </AddLine>
      )}
      {openLine.value && (
        <BomLineDialog
          line={openLine.value}
          onSaved={save}
          onChanged={reload}
          onClose={() => {
            openLine.value = undefined
          }}
        />
      )}
    </Panel>
  )
}

/** Turns a pasted table into a file; undefined for a single value, which is a search term. */
function pastedFile(text: string): File | undefined {
  const { rows, separator } = readDelimited(text)
  const filledRows = rows.filter((row) => row.some((cell) => cell.trim()))
  return isSingleText(filledRows, separator) ? undefined : new File([text], `${t('parts.pasted')}.txt`)
}
