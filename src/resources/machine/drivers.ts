import type { Services } from '../../kit/services/services.ts'
import type { DriverManifest } from '../../plugin-host/running.ts'
import { registryOf } from '../plugins/registry-of.ts'

/** What works with one make of machines of a type, out of a plugin that runs here. */
export type Driver = DriverManifest & {
  slug: string
  /** The key of the plugin that brings it, its name, and whether it comes with the service. */
  plugin: string
  pluginName: string
  isBuiltIn: boolean
  /** It begins with a machine by a function of its own. */
  begins: boolean
}

/** The drivers that there are, by the plugins in the order in which they are asked. Of two of one slug the first counts. */
export function driversOf(services: Pick<Services, 'plugins'>): Driver[] {
  const found = new Map<string, Driver>()
  for (const { key, found: place, manifest } of registryOf(services).running)
    for (const [slug, driver] of Object.entries(manifest.machineDrivers)) {
      if (found.has(slug)) continue
      const begins = manifest.hooks.includes(`machineDrivers.${slug}.init`)
      found.set(slug, {
        ...driver,
        ...{ slug, plugin: key, pluginName: manifest.name, isBuiltIn: place.origin === 'builtin', begins },
      })
    }
  return [...found.values()]
}

/** The driver of a machine; undefined while there is none. */
export const driverOf = (
  services: Pick<Services, 'plugins'>,
  { machine_type: type, driver }: { machine_type: string; driver: string },
): Driver | undefined => driversOf(services).find((one) => one.slug === driver && one.type === type)
