import linkMetadata from 'metadata:/api/user/{id}/password-link/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { Badge, DescriptionList, Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { postQuery, remove } from '../../../kit/service/api.ts'
import { account, formatAccountName } from '../../../kit/service/session.ts'
import { LinkDialog } from './link-dialog.tsx'
import type { User } from './people.ts'

type Properties = {
  user: User
  /** Whether the service sends email. */
  canMail: boolean
  onChange: () => void
}

/** The sign-in of an account: a superuser helps its owner to a new password, or removes a second factor that was lost. */
export function UserAccess({ user, canMail, onChange }: Properties) {
  const dialog = useSignal<'password' | 'second-factor' | undefined>(undefined)
  const url = useSignal<string | undefined>(undefined)
  const close = () => {
    dialog.value = undefined
  }
  const name = formatAccountName(user)
  const isOwn = user.pk === account.value?.pk
  const mailsTo = canMail && user.email !== ''
  return (
    <Panel title={t('people.sign-in')}>
      <DescriptionList
        rows={[
          [
            t('account.second-factor'),
            user.second_factor ? <Badge tone="good">{t('settings.on')}</Badge> : <Badge>{t('settings.off')}</Badge>,
          ],
        ]}
      />
      {isOwn ? (
        <p>
          <a href="/settings/security/">{t('people.own-sign-in')}</a>
        </p>
      ) : (
        <div class="buttons">
          {user.is_active && (
            <button type="button" onClick={() => (dialog.value = 'password')}>
              {t('people.reset-password')}
            </button>
          )}
          {user.second_factor && (
            <button type="button" onClick={() => (dialog.value = 'second-factor')}>
              {t('people.remove-second-factor')}
            </button>
          )}
        </div>
      )}
      {dialog.value === 'password' && (
        <FormDialog
          title={t('people.reset-password-of', { name })}
          metadata={linkMetadata}
          start={{ send_mail: mailsTo }}
          names={mailsTo ? ['send_mail'] : []}
          without="rest"
          customFields={(form) => ({
            send_mail: () => (
              <Field
                form={form}
                name="send_mail"
                title={t('people.send-mail-to', { email: user.email })}
                help={t('people.send-mail.help')}
              />
            ),
          })}
          button={t('people.create-link')}
          send={(values) => postQuery<{ url: string | null }>(`/api/user/${user.pk}/password-link/`, values)}
          onDone={({ body }) => {
            close()
            if (body.url === null) showToast(t('people.link-mailed', { email: user.email }))
            else url.value = body.url
          }}
          onClose={close}
        >
          <p>{t('people.reset-password.about')}</p>
          {!mailsTo && <p class="quiet-text">{t(canMail ? 'people.no-address' : 'people.no-mail')}</p>}
        </FormDialog>
      )}
      {url.value !== undefined && (
        <LinkDialog
          title={t('people.password-link', { name })}
          about={t('people.password-link.about')}
          url={url.value}
          onClose={() => (url.value = undefined)}
        />
      )}
      {dialog.value === 'second-factor' && (
        <Confirm
          title={t('people.remove-second-factor-ask', { name })}
          button={t('people.remove-second-factor')}
          onConfirm={async () => {
            await remove(`/api/user/${user.pk}/second-factor/`)
            showToast(t('account.turned-off'))
            onChange()
          }}
          onClose={close}
        >
          <p>{t('people.remove-second-factor.about')}</p>
        </Confirm>
      )}
    </Panel>
  )
}
