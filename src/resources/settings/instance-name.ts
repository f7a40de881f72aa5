import type { Services } from '../../kit/services/services.ts'
import { setting } from './live.ts'

/** The name under which this installation shows itself: the global setting, or else that of the process. */
export const instanceName = (services: Pick<Services, 'settings' | 'config'>): string =>
  setting(services, 'INVENTREE_INSTANCE') || services.config.instanceName
