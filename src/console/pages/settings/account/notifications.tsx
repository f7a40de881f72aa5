import metadata from 'metadata:/api/settings/notification/'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import { attempt } from '../../../kit/page/toast.tsx'
import { change, type Page } from '../../../kit/service/api.ts'
import { SettingsPage } from '../settings-page.tsx'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'

type NotificationSetting = { pk: number; key: string; value: string; method: string; name: string; description: string }
type EmailAddress = { primary: boolean; verified: boolean }

/** The setting for all emails. */
const ALL_MAILS = 'NOTIFICATION_METHOD_MAIL'

/** `/settings/notifications/`: which notifications are mailed. The console shows all of them. */
export function NotificationSettingsPage() {
  const { data, error, reload } = useRead<{ settings: Page<NotificationSetting>; emails: Page<EmailAddress> }>({
    settings: `${metadata.path}?limit=100`,
    emails: '/api/auth/emails/?limit=100',
  })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const settings = new Map(data.settings.body.results.map((setting) => [setting.key, setting]))
  const isMailed = settings.get(ALL_MAILS)?.value === 'True'
  const hasAddress = data.emails.body.results.some(({ primary, verified }) => primary && verified)
  return (
    <SettingsPage title={t('account.notifications')}>
      <Panel title={t('account.by-mail')}>
        {!hasAddress && (
          <p class="notice">
            {t('account.needs-address')} <a href="/settings/profile/">{t('account.emails')}</a>
          </p>
        )}
        <div class="setting-rows">
          <MailSwitch
            setting={settings.get(ALL_MAILS)}
            title={t('account.notify.all')}
            about={t('account.notify.all.about')}
            onSaved={reload}
          />
        </div>
      </Panel>
      <Panel title={t('account.by-kind')}>
        <table class="notification-kinds">
          <thead>
            <tr>
              <th scope="col">{t('account.kind')}</th>
              <th scope="col">{t('account.in-console')}</th>
              <th scope="col">{t('account.mail')}</th>
            </tr>
          </thead>
          <tbody>
            {NOTIFICATION_KINDS.map(([key, name, about]) => (
              <KindRow
                key={key}
                setting={settings.get(key)}
                title={t(name)}
                about={t(about)}
                isDisabled={!isMailed}
                onSaved={reload}
              />
            ))}
          </tbody>
        </table>
      </Panel>
    </SettingsPage>
  )
}

type RowProperties = {
  setting: NotificationSetting | undefined
  title: string
  about: string
  isDisabled?: boolean
  onSaved: () => void
}

function KindRow({ setting, title, about, isDisabled, onSaved }: RowProperties) {
  return (
    <tr>
      <th scope="row">
        {title}
        <small>{about}</small>
      </th>
      <td>{t('account.always')}</td>
      <td>
        <SettingCheckbox setting={setting} isDisabled={isDisabled} label={`${title}: ${t('account.mail')}`} onSaved={onSaved} />
      </td>
    </tr>
  )
}

function MailSwitch({ setting, title, about, onSaved }: RowProperties) {
  const id = useId()
  return (
    <div class="setting">
      <div class="setting-text">
        <label for={id}>{title}</label>
        <p class="help">{about}</p>
      </div>
      <div class="setting-value">
        <SettingCheckbox id={id} setting={setting} onSaved={onSaved} />
      </div>
    </div>
  )
}

type CheckboxProperties = Pick<RowProperties, 'setting' | 'isDisabled' | 'onSaved'> & { id?: string; label?: string }

/** A checkbox that saves immediately. */
function SettingCheckbox({ setting, isDisabled, onSaved, id, label }: CheckboxProperties) {
  const isBusy = useSignal(false)
  if (!setting) return null
  const isOn = setting.value === 'True'
  const toggle = async (box: HTMLInputElement) => {
    if (isBusy.value) return
    isBusy.value = true
    const isSaved = await attempt(() => change(`${metadata.path}${setting.pk}/`, { value: !isOn }, undefined))
    isBusy.value = false
    // the browser has changed it already
    if (!isSaved) box.checked = isOn
    onSaved()
  }
  return (
    <input
      id={id}
      type="checkbox"
      aria-label={label}
      checked={isOn}
      disabled={isDisabled}
      onChange={({ currentTarget }) => toggle(currentTarget)}
    />
  )
}
