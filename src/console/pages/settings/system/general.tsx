import metadata from 'metadata:/api/web/logo/'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { helpText, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { ApiError, postQuery, remove, toFileUrl } from '../../../kit/service/api.ts'
import { INSTANCE_PATH, type Instance } from '../../../kit/service/instance.ts'
import { announceSetting } from '../../../kit/service/session.ts'
import { useFileDrop } from '../../../kit/window/file-drop.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { GLOBAL_SETTINGS_PATH, type GlobalSetting } from './global-setting.ts'
import { SettingRows } from './setting-row.tsx'

/** The settings of this page, in their order. */
const KEYS = ['INVENTREE_INSTANCE', 'INVENTREE_INSTANCE_TITLE', 'INVENTREE_COMPANY_NAME', 'INVENTREE_DEFAULT_CURRENCY']

/** The settings of the letterhead, in their order; it shows the name and the logo too. */
const LETTERHEAD_KEYS = ['DOCUMENT_ADDRESS', 'DOCUMENT_CONTACT', 'DOCUMENT_TAX_ID', 'DOCUMENT_FOOTER', 'DOCUMENT_LANGUAGE']

/** `/settings/general/`: the name, the currency, the logo and the letterhead of the installation. */
export function GeneralPage() {
  return (
    <SettingsPage title={t('settings.general')} rejection={t('settings.for-staff')}>
      {isStaff() && <GeneralSettings />}
    </SettingsPage>
  )
}

function GeneralSettings() {
  const { data, error, reload } = useRead<{ settings: GlobalSetting[]; instance: Instance }>({
    settings: GLOBAL_SETTINGS_PATH,
    instance: INSTANCE_PATH,
  })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const pick = (keys: readonly string[]) => keys.flatMap((key) => data.settings.body.filter((setting) => setting.key === key))
  return (
    <>
      <Panel title={t('settings.installation')}>
        <SettingRows rows={pick(KEYS)} onSaved={reload} />
      </Panel>
      <Logo logo={data.instance.body.logo} onChanged={reload} />
      <Panel title={t('settings.letterhead')} class="spaced">
        <p class="help">{t('settings.letterhead.about')}</p>
        <SettingRows rows={pick(LETTERHEAD_KEYS)} onSaved={reload} />
      </Panel>
    </>
  )
}

/** The logo. It is replaced by dropping or selecting a picture. */
function Logo({ logo, onChanged }: { logo: string | null; onChanged: () => void }) {
  const problem = useSignal<string | undefined>(undefined)
  const isRemoving = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const finish = async (message: string) => {
    problem.value = undefined
    // the header shows it
    await announceSetting()
    showToast(message)
    onChanged()
  }
  async function upload(files: Iterable<File> | undefined | null) {
    const [picture] = files ?? []
    if (!picture) return
    const body = new FormData()
    body.set('logo', picture)
    try {
      await postQuery(metadata.path, body)
      await finish(t('settings.logo-saved'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.text
    }
    if (input.current) input.current.value = ''
  }
  const drop = useFileDrop(upload)
  return (
    <Panel
      title={t('settings.logo')}
      class="spaced"
      actions={
        <>
          <button type="button" onClick={() => input.current?.click()}>
            <Icon name="file" />
            {logo ? t('settings.replace-logo') : t('settings.upload-logo')}
          </button>
          {logo && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                isRemoving.value = true
              }}
            >
              {t('settings.remove-logo')}
            </button>
          )}
        </>
      }
    >
      <div class={drop.isOver ? 'logo-drop over' : 'logo-drop'} {...drop.handlers}>
        {logo ? <img src={toFileUrl(logo)} alt={t('settings.logo')} /> : <p class="quiet-text">{t('settings.no-logo')}</p>}
      </div>
      <p class="quiet-text">
        {t('settings.logo.about')} {helpText(metadata.fields.logo?.help ?? '')}
      </p>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={t('settings.logo')}
        hidden
        onChange={({ currentTarget }) => upload(currentTarget.files)}
      />
      {isRemoving.value && (
        <Confirm
          title={t('settings.remove-logo-ask')}
          button={t('settings.remove-logo')}
          onConfirm={async () => {
            await remove(metadata.path)
            await finish(t('settings.logo-removed'))
          }}
          onClose={() => {
            isRemoving.value = false
          }}
        />
      )}
    </Panel>
  )
}
