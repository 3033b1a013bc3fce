//! A server that goes away while jobs run: they skip, the error is said once, and everything
//! recovers by itself.

use std::{env, net::SocketAddr, sync::Mutex, time::Duration};

use shedlock::{
    Event, LockConfiguration, LockProvider, LockTable, MySqlLockProvider, PostgresLockProvider,
    RunSkipReason, Scheduler, Task, Trigger,
};
use sqlx::{
    mysql::{MySqlConnectOptions, MySqlPoolOptions},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::{AbortHandle, JoinSet},
    time::timeout,
};

const LONG_ENOUGH: Duration = Duration::from_mins(1);

/// A way to the server that can be cut.
struct Proxy {
    address: SocketAddr,
    server: SocketAddr,
    forwarding: AbortHandle,
}

impl Proxy {
    async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let forwarding = tokio::spawn(forward(listener, server)).abort_handle();
        Self {
            address,
            server,
            forwarding,
        }
    }

    /// Closes every connection and refuses new ones.
    fn cut(&self) {
        self.forwarding.abort();
    }

    async fn restore(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.forwarding = tokio::spawn(forward(listener, self.server)).abort_handle();
    }
}

async fn forward(listener: TcpListener, server: SocketAddr) {
    // Dropped with this future, and all connections with it.
    let mut connections = JoinSet::new();
    while let Ok((mut client, _)) = listener.accept().await {
        connections.spawn(async move {
            let mut server = TcpStream::connect(server).await.unwrap();
            // It ends when one of the two hangs up.
            let _ = copy_bidirectional(&mut client, &mut server).await;
        });
    }
}

/// What the scheduler tells, in order.
struct Story(mpsc::UnboundedReceiver<&'static str>);

impl Story {
    /// Reads on until `word`; gives what came before it.
    async fn until(&mut self, word: &str) -> Vec<&'static str> {
        let mut before = Vec::new();
        let read = async {
            loop {
                match self.0.recv().await.expect("the scheduler runs") {
                    next if next == word => break,
                    next => before.push(next),
                }
            }
        };
        let found = timeout(LONG_ENOUGH, read).await;
        assert!(found.is_ok(), "no `{word}` after {before:?}");
        before
    }
}

fn word(event: &Event) -> &'static str {
    match event {
        Event::Finished { .. } => "ran",
        Event::Skipped {
            reason: RunSkipReason::StoreFailed(_),
            ..
        } => "skipped",
        Event::StoreFailed { .. } => "store failed",
        Event::StoreRecovered => "store recovered",
        _ => "other",
    }
}

async fn jobs_skip_and_recover(provider: impl LockProvider, mut proxy: Proxy) {
    let (tell, story) = mpsc::unbounded_channel();
    let tell = Mutex::new(tell);
    let lock = LockConfiguration::new("outage", Duration::from_secs(10)).unwrap();
    let job = Task::new(
        "job",
        Trigger::FixedRate(Duration::from_millis(20)),
        async || {},
    );
    let scheduler = Scheduler::builder()
        .lock_provider(provider)
        .store_timeout(Duration::from_millis(500))
        .task(job.lock(lock))
        .on_event(move |event| {
            let _ = tell.lock().unwrap().send(word(event));
        })
        .build()
        .unwrap();
    let test = async {
        let mut story = Story(story);
        story.until("ran").await;
        proxy.cut();
        story.until("store failed").await;
        for _ in 0..3 {
            let before = story.until("skipped").await;
            assert!(
                !before.contains(&"store failed"),
                "said more than once: {before:?}"
            );
        }
        proxy.restore().await;
        story.until("store recovered").await;
        story.until("ran").await;
    };
    scheduler.run_until(test).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn jobs_skip_while_postgres_is_away_and_recover() {
    let url = env::var("SHEDLOCK_TEST_POSTGRES_URL").unwrap();
    let options: PgConnectOptions = url.parse().unwrap();
    let server = format!("{}:{}", options.get_host(), options.get_port())
        .parse()
        .unwrap();
    let proxy = Proxy::to(server).await;
    let options = options.host("127.0.0.1").port(proxy.address.port());
    let provider = PostgresLockProvider::new(PgPoolOptions::new().connect_lazy_with(options))
        .with_table(LockTable::new("shedlock_outage").unwrap());
    provider.migrate().await.unwrap();
    jobs_skip_and_recover(provider, proxy).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn jobs_skip_while_mariadb_is_away_and_recover() {
    let url = env::var("SHEDLOCK_TEST_MARIADB_URL").unwrap();
    let options: MySqlConnectOptions = url.parse().unwrap();
    let server = format!("{}:{}", options.get_host(), options.get_port())
        .parse()
        .unwrap();
    let proxy = Proxy::to(server).await;
    let options = options.host("127.0.0.1").port(proxy.address.port());
    let provider = MySqlLockProvider::new(MySqlPoolOptions::new().connect_lazy_with(options))
        .with_table(LockTable::new("shedlock_outage").unwrap());
    provider.migrate().await.unwrap();
    jobs_skip_and_recover(provider, proxy).await;
}
