import { signal } from '@preact/signals'

/** A request that waits until the user confirms the account. */
type PendingConfirmation = {
  /** Continues the request, or gives it up. */
  settle: (isConfirmed: boolean) => void
}

/** Set while a request waits for a confirmation of the account: the shell then asks for the password. */
export const pendingConfirmation = signal<PendingConfirmation | undefined>(undefined)

let confirmation: Promise<boolean> | undefined

/** Asks the user to confirm the account; requests at the same time wait for the same confirmation. @returns whether it was confirmed */
export function confirmAccount(): Promise<boolean> {
  confirmation ??= new Promise<boolean>((resolve) => {
    pendingConfirmation.value = {
      settle(isConfirmed) {
        pendingConfirmation.value = undefined
        confirmation = undefined
        resolve(isConfirmed)
      },
    }
  })
  return confirmation
}
