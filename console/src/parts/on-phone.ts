import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen is as narrow as a phone: one column, and targets for thumbs. */
export function useOnPhone(): boolean {
  return useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false });
}
