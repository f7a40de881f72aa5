import metadata from 'metadata:/api/plugins/install/'
import { useSignal } from '@preact/signals'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { ApiError, get, postQuery } from '../../../kit/service/api.ts'
import { confirmAccount } from '../../../kit/service/confirmation.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import type { ConfirmationState } from '../../sign-in/confirm-account.tsx'
import { PLUGINS_PATH, type PluginList } from './plugin.ts'

type Installation = { output: string; key: string | undefined }

/** The fields of an installation. The URL is one line, although it may be long. */
const FORM_METADATA = {
  ...metadata,
  fields: { ...metadata.fields, url: { ...metadata.fields.url, kind: 'text' as const } },
}

type Properties = {
  /** The package of an installed plugin, for another version of it, as its installation requested it. */
  requirement?: string | null
  onInstalled: () => void
  onClose: () => void
}

/** Asks for a package and what it means to run it, installs it, and shows what was fetched. */
export function InstallPlugin({ requirement, onInstalled, onClose }: Properties) {
  const isRunning = useSignal(false)
  const installation = useSignal<Installation | undefined>(undefined)
  if (installation.value)
    return (
      <Dialog title={t('plugins.installed')} onClose={onClose}>
        <p>{t('plugins.installed.about')}</p>
        <details>
          <summary>{t('plugins.output')}</summary>
          <pre class="plugin-output">{installation.value.output}</pre>
        </details>
        <div class="buttons">
          {installation.value.key && (
            <a class="button primary" href={`/settings/plugins/${installation.value.key}/`} onClick={onClose}>
              {t('plugins.installed.open')}
            </a>
          )}
          <button type="button" onClick={onClose}>
            {t('close')}
          </button>
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title={t(requirement ? 'plugins.install-version' : 'plugins.install')}
      metadata={FORM_METADATA}
      start={{ ...readRequirement(requirement), version: '', confirm: false }}
      names={['packagename', 'version', 'url', 'confirm']}
      without="rest"
      customFields={(form) => ({
        packagename: () => (
          <Field form={form} name="packagename" title={t('plugins.package')} help={t('plugins.package.help')} autofocus />
        ),
        version: () => <Field form={form} name="version" title={t('plugins.version')} help={t('plugins.version.help')} />,
        url: () => <Field form={form} name="url" title={t('plugins.url')} help={t('plugins.url.help')} />,
        confirm: () => <Field form={form} name="confirm" title={t('plugins.confirm')} help={null} />,
      })}
      button={t('plugins.install')}
      send={async (values) => {
        await requireConfirmation()
        isRunning.value = true
        try {
          const { body } = await postQuery<{ output: string }>(metadata.path, values)
          return { output: body.output, key: await findInstalledPlugin() }
        } finally {
          isRunning.value = false
        }
      }}
      onDone={(result) => {
        installation.value = result
        onInstalled()
      }}
      onClose={onClose}
    >
      <div class="notice plugin-warning">
        <p>
          <strong>{t('plugins.warning')}</strong>
        </p>
        <ul>
          <li>{t('plugins.warning.code')}</li>
          <li>{t('plugins.warning.network')}</li>
          <li>{t('plugins.warning.maintenance')}</li>
        </ul>
      </div>
      <div role="status">
        {isRunning.value && (
          <>
            <p>{t('plugins.installing')}</p>
            <progress class="plugin-progress" aria-label={t('plugins.installing')} />
          </>
        )}
      </div>
    </FormDialog>
  )
}

/** The fields of a stored request: `name@version`, `name@version from https://registry/`, or a URL. */
function readRequirement(requirement: string | null | undefined): { packagename: string; url: string } {
  const [, packagename, url = ''] = /^(@?[^@:\s]+)@\S+(?: from (\S+))?$/.exec(requirement ?? '') ?? []
  return packagename ? { packagename, url } : { packagename: '', url: requirement ?? '' }
}

/**
 * Asks for the password, unless the account was confirmed a short time ago. The service does not require it for this operation, which other
 * clients use as well; in a browser, however, an unattended session is enough to send it.
 * @throws ApiError when the user gives up
 */
async function requireConfirmation(): Promise<void> {
  const { body } = await get<ConfirmationState>('/api/auth/confirm/')
  if (!body.confirmed && !(await confirmAccount())) throw new ApiError(403, 'confirmation_required', t('not-confirmed'))
}

/** The key of the plugin that was installed last; undefined if it cannot be read now. */
async function findInstalledPlugin(): Promise<string | undefined> {
  try {
    const { body } = await get<PluginList>(PLUGINS_PATH)
    return body.plugins
      .filter(({ installed_at }) => installed_at !== null)
      .toSorted((one, other) => String(other.installed_at).localeCompare(String(one.installed_at)))[0]?.key
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}
