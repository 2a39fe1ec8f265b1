class NotesController < ApplicationController
  def show
    @text = params[:text]
  end
end
