import { type PlainKey, t } from '../../../kit/language/language.ts'

/** Names of security events, by their kind. A test finds kinds without a name. */
export const securityEventKeys: Readonly<Record<string, PlainKey>> = {
  sign_in: 'security-event.sign_in',
  sign_in_failed: 'security-event.sign_in_failed',
  sign_out: 'security-event.sign_out',
  registered: 'security-event.registered',
  token_made: 'security-event.token_made',
  token_revoked: 'security-event.token_revoked',
  session_ended: 'security-event.session_ended',
  password_changed: 'security-event.password_changed',
  password_reset: 'security-event.password_reset',
  password_reset_asked: 'security-event.password_reset_asked',
  address_added: 'security-event.address_added',
  address_verified: 'security-event.address_verified',
  address_removed: 'security-event.address_removed',
  address_primary: 'security-event.address_primary',
  second_factor_enrolled: 'security-event.second_factor_enrolled',
  second_factor_removed: 'security-event.second_factor_removed',
  second_factor_failed: 'security-event.second_factor_failed',
  recovery_codes_made: 'security-event.recovery_codes_made',
  recovery_code_used: 'security-event.recovery_code_used',
  social_linked: 'security-event.social_linked',
  social_unlinked: 'security-event.social_unlinked',
  account_made: 'security-event.account_made',
  account_changed: 'security-event.account_changed',
  account_deleted: 'security-event.account_deleted',
  invitation_made: 'security-event.invitation_made',
  invitation_renewed: 'security-event.invitation_renewed',
  invitation_revoked: 'security-event.invitation_revoked',
  password_link_made: 'security-event.password_link_made',
  group_changed: 'security-event.group_changed',
  rights_changed: 'security-event.rights_changed',
  setting_changed: 'security-event.setting_changed',
  template_made: 'security-event.template_made',
  template_changed: 'security-event.template_changed',
  template_deleted: 'security-event.template_deleted',
  backup_downloaded: 'security-event.backup_downloaded',
  backup_deleted: 'security-event.backup_deleted',
  plugin_changed: 'security-event.plugin_changed',
}

/** The name of a security event; of one that the console does not know, its kind. */
export const getSecurityEventName = (kind: string): string => {
  const key = securityEventKeys[kind]
  return key ? t(key) : kind.replaceAll('_', ' ')
}
