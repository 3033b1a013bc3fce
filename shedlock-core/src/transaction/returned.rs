/// What a function with `#[transactional]` returns: `Result<T, E>`. `Ok` commits, and a
/// transaction that could not be begun or committed is an `E`.
#[diagnostic::on_unimplemented(
    message = "a transactional function cannot return `{Self}`: nothing says whether to commit",
    label = "return `Result<T, E>` with `E: From<sqlx::Error>`"
)]
pub trait TransactionalReturn {
    /// The value of a call whose transaction could not be begun or committed.
    fn failed(error: sqlx::Error) -> Self;

    /// Whether to commit.
    fn is_ok(&self) -> bool;
}

impl<T, E: From<sqlx::Error>> TransactionalReturn for Result<T, E> {
    fn failed(error: sqlx::Error) -> Self {
        Err(E::from(error))
    }

    fn is_ok(&self) -> bool {
        self.is_ok()
    }
}
