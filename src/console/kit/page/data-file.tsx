import { t } from '../language/language.ts'
import { saveTextFile } from '../service/api.ts'
import { type DataTable, toCsv } from './csv.ts'
import { Icon } from './icon.tsx'

/** Saves the data of a chart as a CSV file. @param getTable makes the table when the button is pressed */
export const DataDownload = ({ name, getTable }: { name: string; getTable: () => DataTable }) => (
  <button
    type="button"
    class="quiet"
    // a byte order mark, so that Excel reads UTF-8
    onClick={() => saveTextFile(`\ufeff${toCsv(getTable())}`, `${name}.csv`, 'text/csv')}
  >
    <Icon name="receive" />
    {t('chart.download')}
  </button>
)
