import { useSignal } from '@preact/signals'
import { t } from '../language/language.ts'
import { Menu } from '../page/menu.tsx'
import { attempt } from '../page/toast.tsx'
import { download, withQuery } from '../service/api.ts'

/** Kinds of files, by their endings, as people know them. */
const KINDS = { xlsx: 'Excel (XLSX)', csv: 'CSV' }

/** All rows of a list as a file for other programs, narrowed and ordered as they are shown. @param url the list, with what is asked of it */
export function Download({ url, asked }: { url: string; asked: Record<string, string | undefined> }) {
  const isBusy = useSignal(false)
  const get = async (kind: string) => {
    isBusy.value = true
    await attempt(() => download(withQuery(url, { ...asked, export: kind })))
    isBusy.value = false
  }
  return (
    <Menu label={t('download')} icon="receive">
      {Object.entries(KINDS).map(([kind, name]) => (
        <button key={kind} type="button" class="quiet" disabled={isBusy.value} onClick={() => get(kind)}>
          {name}
        </button>
      ))}
    </Menu>
  )
}
