import { useEffect } from 'preact/hooks'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../kit/language.ts'
import type { EditorProperties, SheetColumn, SheetRow } from '../../kit/sheet.tsx'

/** A flag is turned round as soon as its cell is opened. */
function Turn<Row>({ row, save, name }: EditorProperties<Row> & { name: string }) {
  useEffect(() => save({ [name]: !row[name as keyof Row] }), [])
  return null
}

/** A column of a sheet with a flag of each row: Enter, or a press, turns it round. */
export const flagColumn = <Row extends SheetRow>(
  name: string & keyof Row,
  more: Pick<SheetColumn<Row>, 'title' | 'width' | 'isWide' | 'isDesk'>,
): SheetColumn<Row> => ({
  name,
  ...more,
  cell: (row) => (
    <span class="flag">
      {row[name] === true && <Icon name="check" />}
      <span class="unseen">{row[name] === true ? t('yes') : t('no')}</span>
    </span>
  ),
  edit: (properties) => <Turn {...properties} name={name} />,
})
