import { change } from '../../../kit/service/api.ts'

/** Where registration is set. */
export const REGISTRATION_SETTINGS_URL = '/settings/system/?search=registration'

/** Makes the service reject registrations: people come by invitation. @throws ApiError */
export const closeRegistration = (): Promise<unknown> =>
  change('/api/settings/global/LOGIN_ENABLE_REG/', { value: false }, undefined)
