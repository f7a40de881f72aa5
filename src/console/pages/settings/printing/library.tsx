import assetMetadata from 'metadata:/api/report/asset/'
import snippetMetadata from 'metadata:/api/report/snippet/'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast, warn } from '../../../kit/page/toast.tsx'
import { ApiError, get, newKey, type Page, post, toFileUrl } from '../../../kit/service/api.ts'
import { remove, save } from '../../../kit/service/saves.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { MessageDialog } from '../../../kit/window/dialog.tsx'
import { useFileDrop } from '../../../kit/window/file-drop.ts'
import { SettingsPage } from '../settings-page.tsx'
import { canChangeAnything } from './library-access.ts'
import { getTemplatePage, getTextUrl, templateKinds } from './template-kinds.ts'

/** A file that templates name: a picture, or a part of a template. */
type LibraryFile = {
  pk: number
  etag?: string
  asset?: string
  snippet?: string
  filename: string | null
  description: string
  problems?: string[]
}
type Use = { library: 'asset' | 'snippet'; pk: number; kind: string; template: number; name: string }
type Library = Use['library']

/** File names of pictures that browsers show: drawings (SVG) are downloaded, since they may contain scripts. */
const PICTURE = /\.(png|jpe?g|gif|webp)$/i

/** The name of a file in a template. */
const EXAMPLES = { asset: `<img src="{{ 'logo.png' | asset }}">`, snippet: `{% include 'snippets/footer.html' %}` }

const METADATA = { asset: assetMetadata, snippet: snippetMetadata }

/** `/settings/templates/assets/`: the files that templates show, such as a logo. */
export const AssetsPage = () => <LibraryPage key="asset" library="asset" />

/** `/settings/templates/snippets/`: the parts that templates include. */
export const SnippetsPage = () => <LibraryPage key="snippet" library="snippet" />

function LibraryPage({ library }: { library: Library }) {
  const metadata = METADATA[library]
  const { data, error, reload } = useRead<{ files: Page<LibraryFile>; uses: Use[] }>({
    files: `${metadata.path}?limit=250&etag=true`,
    uses: '/api/web/template/uses/',
  })
  const fileInput = useRef<HTMLInputElement>(null)
  const fileToEdit = useSignal<LibraryFile | undefined>(undefined)
  const fileToDelete = useSignal<LibraryFile | undefined>(undefined)
  const shownText = useSignal<{ name: string; text: string } | undefined>(undefined)
  const canChange = canChangeAnything()
  const drop = useFileDrop(canChange ? upload : undefined)
  const actions = useActions([
    canChange && { title: t(`library.${library}.add`), icon: 'plus', keys: 'n', run: () => fileInput.current?.click() },
  ])

  async function upload(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      try {
        const body = new FormData()
        body.set('description', file.name.replace(/\.\w+$/, '').replaceAll('_', ' '))
        body.set(library, file)
        await post(metadata.path, body, newKey())
        showToast(t('library.added', { name: file.name }))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        warn(`${file.name}: ${error.text}`)
      }
    }
    reload()
  }
  const showText = (file: LibraryFile) =>
    attempt(async () => {
      const { body } = await get<{ text: string }>(getTextUrl('report/snippet', file.pk))
      shownText.value = { name: getName(file), text: body.text }
    })
  if (error) return <LoadError error={error} />
  const rows = data?.files.body.results ?? []
  const listUses = ({ pk }: LibraryFile) => (data?.uses.body ?? []).filter((use) => use.library === library && use.pk === pk)
  return (
    <SettingsPage title={t(`library.${library}.title`)} actions={actions}>
      <Panel>
        <p>{t(`library.${library}.help`, { example: EXAMPLES[library] })}</p>
        {!canChange && <p class="notice">{t('library.read-only')}</p>}
        <div class={drop.isOver ? 'drop over' : 'drop'} {...drop.handlers}>
          {data && rows.length === 0 && <Empty icon="file" title={t(`library.${library}.none`)} />}
          {rows.length > 0 && (
            <ShortTable
              title={t(`library.${library}.title`)}
              rows={rows}
              columns={[
                {
                  name: 'filename',
                  title: () => t('library.name'),
                  cell: (file) => (
                    <span class="library-file">
                      {library === 'asset' ? (
                        <AssetLink file={file} />
                      ) : (
                        <SnippetName file={file} onShow={() => showText(file)} />
                      )}
                    </span>
                  ),
                },
                { name: 'description', cell: ({ description }) => description },
                { name: 'uses', title: () => t('library.used-in'), cell: (file) => <Uses uses={listUses(file)} /> },
                {
                  name: 'actions',
                  title: () => '',
                  align: 'end',
                  width: '7rem',
                  cell: (file) =>
                    canChange && (
                      <>
                        <button
                          type="button"
                          class="quiet icon-only"
                          aria-label={t('library.edit', { name: getName(file) })}
                          onClick={() => {
                            fileToEdit.value = file
                          }}
                        >
                          <Icon name="edit" />
                        </button>
                        <button
                          type="button"
                          class="quiet icon-only"
                          aria-label={t('library.delete', { name: getName(file) })}
                          onClick={() => {
                            fileToDelete.value = file
                          }}
                        >
                          <Icon name="trash" />
                        </button>
                      </>
                    ),
                },
              ]}
            />
          )}
          {canChange && <p class="drop-hint">{t('files.hint')}</p>}
        </div>
        {canChange && (
          <input
            ref={fileInput}
            type="file"
            multiple
            hidden
            accept={library === 'snippet' ? '.html,.htm' : undefined}
            onChange={({ currentTarget }) => {
              void upload([...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
        )}
      </Panel>
      {fileToEdit.value && (
        <FormDialog
          title={t('library.edit', { name: getName(fileToEdit.value) })}
          metadata={metadata}
          start={{ filename: fileToEdit.value.filename ?? '', description: fileToEdit.value.description }}
          names={fileToEdit.value.filename === null ? ['description'] : ['filename', 'description']}
          without="rest"
          customFields={(form) => ({
            filename: () => <Field form={form} name="filename" title={t('library.name')} help={t('library.name.help')} />,
            description: () => <Field form={form} name="description" help={null} />,
          })}
          button={t('save')}
          send={async ({ filename, description }) => {
            const { pk, etag, filename: oldName } = fileToEdit.value as LibraryFile
            const values = { description, ...(filename === (oldName ?? '') ? {} : { filename }) }
            const result = await save<LibraryFile>(`${metadata.path}${pk}/`, values, etag)
            if ('conflict' in result) throw new ApiError(412, 'precondition_failed', t('changed-meanwhile'))
            return result.saved
          }}
          onDone={() => {
            fileToEdit.value = undefined
            showToast(t('saved'))
            reload()
          }}
          onClose={() => {
            fileToEdit.value = undefined
          }}
        />
      )}
      {fileToDelete.value && (
        <Confirm
          title={t('library.delete-ask', { name: getName(fileToDelete.value) })}
          button={t('delete')}
          onConfirm={async () => {
            const { pk, etag } = fileToDelete.value as LibraryFile
            await remove(`${metadata.path}${pk}/`, etag)
            showToast(t('library.deleted'))
            reload()
          }}
          onClose={() => {
            fileToDelete.value = undefined
          }}
        >
          {listUses(fileToDelete.value).length > 0 && (
            <p>
              {t('library.delete-used')} <Uses uses={listUses(fileToDelete.value)} />
            </p>
          )}
        </Confirm>
      )}
      {shownText.value && (
        <MessageDialog
          title={shownText.value.name}
          onClose={() => {
            shownText.value = undefined
          }}
        >
          <pre class="snippet-text" tabIndex={0}>
            {shownText.value.text}
          </pre>
        </MessageDialog>
      )}
    </SettingsPage>
  )
}

const getName = ({ filename, asset, snippet }: LibraryFile): string => filename ?? asset ?? snippet ?? ''

/** A picture, or an icon, and the name, which opens the file. */
function AssetLink({ file }: { file: LibraryFile }) {
  const url = toFileUrl(file.asset as string)
  return (
    <>
      {PICTURE.test(url) && file.filename !== null ? <img src={url} alt="" /> : <Icon name="file" />}
      <a href={url} target="_blank" rel="noreferrer">
        {getName(file)}
      </a>
    </>
  )
}

const SnippetName = ({ file, onShow }: { file: LibraryFile; onShow: () => void }) => (
  <>
    <Icon name="file" />
    <button type="button" class="link" onClick={onShow}>
      {getName(file)}
    </button>
    {(file.problems ?? []).length > 0 && <Badge tone="bad">{t('templates.not-printable')}</Badge>}
  </>
)

/** The templates that use a file, each with its page. */
function Uses({ uses }: { uses: readonly Use[] }) {
  if (uses.length === 0) return <span class="quiet-text">{t('library.unused')}</span>
  return (
    <>
      {uses.map(({ kind, template, name }, index) => {
        const templateKind = templateKinds.find(({ path }) => path === kind)
        return (
          <span key={`${kind} ${template}`}>
            {index > 0 && ', '}
            {templateKind ? <a href={getTemplatePage(templateKind, template)}>{name}</a> : name}
          </span>
        )
      })}
    </>
  )
}
