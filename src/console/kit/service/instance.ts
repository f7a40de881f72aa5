import { signal } from '@preact/signals'
import { get, toFileUrl } from './api.ts'

/** The installation: its name, and the URL of its logo, if it has one. */
export type Instance = { name: string; logo: string | null }

/** Its URL, which needs no sign-in. */
export const INSTANCE_PATH = '/api/web/instance/'

/** The name of the program, until that of the installation is known. */
export const PRODUCT = 'Stockroom'

/** The installation, as last read. */
export const instance = signal<Instance>({ name: PRODUCT, logo: null })

/** Stores what the service returned for the installation. */
export function setInstance({ name, logo }: Instance): void {
  instance.value = { name: name || PRODUCT, logo: logo && toFileUrl(logo) }
}

/** Reads the installation for a page without an account. Without a response, it stays as it is. */
export const loadInstance = (): Promise<void> =>
  get<Instance>(INSTANCE_PATH).then(
    ({ body }) => setInstance(body),
    () => undefined,
  )
