/** A plugin that was installed as a package. */
export type Installed = {
  key: string
  /** Its name in the registry that it came from. */
  packageName: string
  /** The absolute path of the file that has the plugin as its default export. */
  entry: string
}

/** The plugins that are installed as packages on this node. */
export const installed = async (): Promise<readonly Installed[]> => []
