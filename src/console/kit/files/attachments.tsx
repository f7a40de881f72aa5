import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useRowDeletion } from '../grid/rows.tsx'
import { formatDate, formatNumber, t } from '../language/language.ts'
import { useRead } from '../page/data.ts'
import { Icon } from '../page/icon.tsx'
import { Panel } from '../page/page.tsx'
import { warn } from '../page/toast.tsx'
import { ApiError, newKey, type Page, post, toFileUrl, withQuery } from '../service/api.ts'
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
  /** URL of the attachment list: `/api/part/attachment/`. */
  url: string
  /** The fields of an attachment that refer to its object: `{ part: 7 }`, or `{ model_type: 'transferorder', model_id: 7 }`. */
  object: Record<string, string | number>
  canAdd: boolean
  canDelete: boolean
}

/** Number of files shown at first, and at most. */
const ROW_LIMITS = { first: 100, max: 1_000 }

/** The files of an object, with a drop zone and a button to add more. */
export function Attachments({ url, object, canAdd, canDelete }: Properties) {
  const limit = useSignal(ROW_LIMITS.first)
  const { data, reload } = useRead<{ files: Page<Attachment> }>({
    files: withQuery(url, { ...object, etag: true, limit: limit.value }),
  })
  const fileInput = useRef<HTMLInputElement>(null)
  const busy = useSignal(0)
  const deletion = useRowDeletion({ path: url, getName, onChanged: reload })
  const drop = useFileDrop(canAdd ? attach : undefined)
  const { results: files = [], count: total = 0 } = data?.files.body ?? {}
  if (files.length === 0 && !canAdd) return null

  async function attach(added: Iterable<File>): Promise<void> {
    for (const file of added) {
      busy.value++
      try {
        const body = new FormData()
        for (const [name, value] of Object.entries(object)) body.set(name, String(value))
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
        canAdd && (
          <button type="button" class="quiet" onClick={() => fileInput.current?.click()}>
            <Icon name="plus" />
            {t('files.add')}
          </button>
        )
      }
    >
      <div class={drop.isOver ? 'drop over' : 'drop'} {...drop.handlers}>
        <ul class="files">
          {files.map((file) => (
            <li key={file.pk}>
              <Icon name="file" />
              <a href={file.attachment ? toFileUrl(file.attachment) : (file.link ?? '')} target="_blank" rel="noreferrer">
                {getName(file)}
              </a>
              <small>{[file.comment, formatDate(file.upload_date)].filter(Boolean).join(' · ')}</small>
              {canDelete && deletion.renderButton(file)}
            </li>
          ))}
        </ul>
        {files.length < total && (
          <p>
            {t('files.shown-of-total', { shown: formatNumber(files.length), total: formatNumber(total) })}{' '}
            {limit.value < ROW_LIMITS.max && (
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  limit.value = ROW_LIMITS.max
                }}
              >
                {t('files.more')}
              </button>
            )}
          </p>
        )}
        {canAdd && <p class="drop-hint">{busy.value > 0 ? t('files.sending') : t('files.hint')}</p>}
        {canAdd && (
          <input
            ref={fileInput}
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
      {deletion.dialog}
    </Panel>
  )
}

const getName = ({ filename, link }: Attachment): string => filename || (link ?? '')
