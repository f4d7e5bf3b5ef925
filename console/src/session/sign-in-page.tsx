import { queryClient } from '../query-client.ts';
import { Entrance } from './entrance.tsx';
import { forgetSessionEnd } from './session-end.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Shown for every address while there is no session. */
export function SignInPage() {
  const onDone = () => {
    forgetSessionEnd();
    void queryClient.resetQueries();
  };
  return (
    <Entrance title="Sign in" hint="The staff console of your shop. Forgot your password? Ask an owner.">
      <SignInForm onDone={onDone} />
    </Entrance>
  );
}
