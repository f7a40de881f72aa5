import { t } from '../../../kit/language/language.ts'
import { Badge } from '../../../kit/page/page.tsx'
import type { User } from './people.ts'

/** Badges of an account: its permissions beyond its groups, and whether it cannot sign in. */
export const UserBadges = ({ user }: { user: Pick<User, 'is_active' | 'is_staff' | 'is_superuser'> }) => (
  <>
    {user.is_superuser ? (
      <Badge tone="accent">{t('people.superuser')}</Badge>
    ) : (
      user.is_staff && <Badge tone="accent">{t('people.staff')}</Badge>
    )}{' '}
    {!user.is_active && <Badge tone="bad">{t('people.inactive')}</Badge>}
  </>
)
