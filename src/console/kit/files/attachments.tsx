import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useRowDeletion } from '../grid/rows.tsx'
import { date, number, t } from '../language/language.ts'
import { useRead } from '../page/data.ts'
import { Icon } from '../page/icon.tsx'
import { Panel } from '../page/page.tsx'
import { warn } from '../page/toast.tsx'
import { ApiError, fileAddress, newKey, type Page, post, withQuery } from '../service/api.ts'
import { useFileDrop } from '../window/file-drop.ts'

type Attachment = {
  pk: number
  etag?: string
  attachment: string | null
  filename: string
  link: string | null
  comment: string
  upload_date: string | null
}

type Properties = {
  /** Address of the attachment list: `/api/part/attachment/`. */
  url: string
  /** Field that holds the object, and its key. */
  of: Record<string, number>
  mayAdd: boolean
  mayDelete: boolean
}

/** Number of files shown at first, and at most. */
const ROW_LIMITS = { first: 100, most: 1_000 }

/** The files of an object, with a drop zone and a button to add more. */
export function Attachments({ url, of, mayAdd, mayDelete }: Properties) {
  const limit = useSignal(ROW_LIMITS.first)
  const { data, reload } = useRead<{ files: Page<Attachment> }>({
    files: withQuery(url, { ...of, etag: true, limit: limit.value }),
  })
  const chooser = useRef<HTMLInputElement>(null)
  const busy = useSignal(0)
  const deletion = useRowDeletion({ path: url, nameOf, onChanged: reload })
  const drop = useFileDrop(mayAdd ? attach : undefined)
  const { results: files = [], count: total = 0 } = data?.files.body ?? {}
  if (files.length === 0 && !mayAdd) return null

  async function attach(added: Iterable<File>): Promise<void> {
    for (const file of added) {
      busy.value++
      try {
        const body = new FormData()
        for (const [name, pk] of Object.entries(of)) body.set(name, String(pk))
        body.set('attachment', file)
        body.set('comment', '')
        await post(url, body, newKey())
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        warn(`${file.name}: ${error.text}`)
      } finally {
        busy.value--
      }
    }
    reload()
  }
  return (
    <Panel
      title={t('files.title')}
      actions={
        mayAdd && (
          <button type="button" class="quiet" onClick={() => chooser.current?.click()}>
            <Icon name="plus" />
            {t('files.add')}
          </button>
        )
      }
    >
      <div class={drop.isOver ? 'drop over' : 'drop'} {...drop.listens}>
        <ul class="files">
          {files.map((file) => (
            <li key={file.pk}>
              <Icon name="file" />
              <a href={file.attachment ? fileAddress(file.attachment) : (file.link ?? '')} target="_blank" rel="noreferrer">
                {nameOf(file)}
              </a>
              <small>{[file.comment, date(file.upload_date)].filter(Boolean).join(' · ')}</small>
              {mayDelete && deletion.bin(file)}
            </li>
          ))}
        </ul>
        {files.length < total && (
          <p>
            {t('files.some', { shown: number(files.length), total: number(total) })}{' '}
            {limit.value < ROW_LIMITS.most && (
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  limit.value = ROW_LIMITS.most
                }}
              >
                {t('files.more')}
              </button>
            )}
          </p>
        )}
        {mayAdd && <p class="drop-hint">{busy.value > 0 ? t('files.sending') : t('files.hint')}</p>}
        {mayAdd && (
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              attach([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
        )}
      </div>
      {deletion.question}
    </Panel>
  )
}

const nameOf = ({ filename, link }: Attachment): string => filename || (link ?? '')
