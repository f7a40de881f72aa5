import type { Services } from '../kit/services/services.ts'
import { setting } from './live.ts'

/** Display name of this installation: the global setting, otherwise that of the process. */
export const instanceName = (services: Pick<Services, 'settings' | 'config'>): string =>
  setting(services, 'INVENTREE_INSTANCE') || services.config.instanceName
