class Download
  def initialize(name)
    @name = File.basename(name)
  end

  def content
    File.read("/srv/downloads/#{@name}")
  end
end
