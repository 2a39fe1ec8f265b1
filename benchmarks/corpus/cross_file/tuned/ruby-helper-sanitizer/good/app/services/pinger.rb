class Pinger
  def call(host)
    `ping -c 1 #{host}`
  end
end
