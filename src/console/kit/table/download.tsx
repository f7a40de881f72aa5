import { useSignal } from '@preact/signals'
import { t } from '../language/language.ts'
import { Menu } from '../page/menu.tsx'
import { attempt } from '../page/toast.tsx'
import { download, withQuery } from '../service/api.ts'

/** File types by their extensions, with labels for people. */
const FORMATS = { xlsx: 'Excel (XLSX)', csv: 'CSV' }

/**
 * Downloads all rows of a list as a file for other programs, with the current filters and order. @param url the list, which is requested
 * with the parameters in `query`
 */
export function Download({ url, query }: { url: string; query: Record<string, string | undefined> }) {
  const isBusy = useSignal(false)
  const downloadAs = async (format: string) => {
    isBusy.value = true
    await attempt(() => download(withQuery(url, { ...query, export: format })))
    isBusy.value = false
  }
  return (
    <Menu label={t('download')} icon="receive">
      {Object.entries(FORMATS).map(([format, name]) => (
        <button key={format} type="button" class="quiet" disabled={isBusy.value} onClick={() => downloadAs(format)}>
          {name}
        </button>
      ))}
    </Menu>
  )
}
