//! The receiving side: the bank and the event consumers, outside of the database and of every
//! replica. It answers each delivery and remembers what it has seen.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::Context as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    time::sleep,
};

/// How long the receiving side takes to answer, as a service on the network would.
const LATENCY: Duration = Duration::from_millis(10);

/// How often each event id and each natural key has come in.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    events: HashMap<String, u32>,
    natural_keys: HashMap<String, u32>,
}

impl Inbox {
    /// Different events that came in.
    pub(crate) fn delivered(&self) -> usize {
        self.events.len()
    }

    /// Deliveries of an event that had come in already, for example by two publishers.
    pub(crate) fn duplicate_events(&self) -> u32 {
        repeats(&self.events)
    }

    /// Facts that were stated by two different events: one day settled twice, one payout paid
    /// twice.
    pub(crate) fn duplicate_facts(&self) -> u32 {
        let facts = self.natural_keys.values();
        facts.map(|events| events - 1).sum()
    }

    fn receive(&mut self, event: &str, natural_key: &str) {
        let times = self.events.entry(event.to_owned()).or_default();
        *times += 1;
        if *times == 1 {
            *self.natural_keys.entry(natural_key.to_owned()).or_default() += 1;
        }
    }
}

fn repeats(times: &HashMap<String, u32>) -> u32 {
    times.values().map(|times| times - 1).sum()
}

/// Starts the receiving side on a free loopback port.
pub(crate) async fn start() -> anyhow::Result<(SocketAddr, Arc<Mutex<Inbox>>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let inbox = Arc::new(Mutex::new(Inbox::default()));
    let shared = Arc::clone(&inbox);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A replica that ends closes its connection: nothing to report.
            tokio::spawn(serve(stream, Arc::clone(&shared)));
        }
    });
    Ok((address, inbox))
}

async fn serve(mut stream: TcpStream, inbox: Arc<Mutex<Inbox>>) -> anyhow::Result<()> {
    let (read, mut write) = stream.split();
    let mut lines = BufReader::new(read).lines();
    while let Some(line) = lines.next_line().await? {
        let (event, natural_key) = line.split_once('\t').context("not a delivery")?;
        sleep(LATENCY).await;
        inbox
            .lock()
            .expect("no holder panics")
            .receive(event, natural_key);
        write.write_all(b"received\n").await?;
    }
    Ok(())
}

/// How a replica reaches the receiving side.
#[derive(Debug, Clone)]
pub(crate) struct Receiver(pub(crate) SocketAddr);

impl Receiver {
    /// Delivers one event and waits for the answer.
    pub(crate) async fn deliver(&self, event: &str, natural_key: &str) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect(self.0)
            .await
            .context("the receiving side is away")?;
        stream
            .write_all(format!("{event}\t{natural_key}\n").as_bytes())
            .await?;
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).await?;
        anyhow::ensure!(
            answer == "received\n",
            "the receiving side did not take {event}"
        );
        Ok(())
    }
}
