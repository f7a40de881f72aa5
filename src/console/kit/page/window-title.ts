import { instance, PRODUCT } from '../service/instance.ts'
import { isEnabled } from '../service/session.ts'

/** The title of the window for a page: it names the installation if the setting `INVENTREE_INSTANCE_TITLE` is on. */
export const formatWindowTitle = (page: string): string =>
  `${page} · ${isEnabled('INVENTREE_INSTANCE_TITLE') ? instance.value.name : PRODUCT}`
